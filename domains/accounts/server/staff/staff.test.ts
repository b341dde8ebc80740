import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addAccount,
  addOwnPosition,
  assignPosition,
  getAccount,
  getStaff,
  listOwnItems,
  listPositions,
  listStaff,
  listStaffChoices,
  listUserItems,
  removeOwnPosition,
  setGrant,
  updateOwnPosition,
  updateStaff,
} from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const paths = async (login: string) =>
  (await world.call(listUserItems, await world.signIn(login), { appId: "Fy.Background" }))
    .filter((item) => item.parentId !== 0)
    .map((item) => item.path);

test("a root sees its own people with what they hold and see, and nobody else's", async () => {
  const root = await world.signIn("mch01");
  const { items, total } = await world.call(listStaff, root, { withTotal: true });
  expect(items.map((row) => row.login).toSorted()).toEqual(["area01", "emp01", "fin01"]);
  expect(total).toEqual({ count: 3, more: false });
  expect(items.find((row) => row.login === "fin01")).toMatchObject({ firstName: "财务苏算", positionName: "财务", storeCount: 2 });
  expect(items.find((row) => row.login === "area01")).toMatchObject({ areaNames: ["城东区"], storeCount: 0 });
  expect((await world.call(listStaff, root, { storeId: world.tree.stores[1]!.id })).items.map((row) => row.login)).toEqual(["fin01"]);
  expect((await world.call(listStaff, await world.signIn("sp01"), {})).items).toEqual([]);
  const choices = await world.call(listStaffChoices, root, {});
  expect([choices.positions.map(({ name }) => name), choices.stores.length, choices.areas.length]).toEqual([["财务"], 4, 1]);
  expect((await world.refused(getStaff, root, { id: world.tree.users.mch03 })).status).toBe(404);
});

test("a position gives what the root holds, follows its changes at once, and can't be removed while somebody holds it", async () => {
  const root = await world.signIn("mch01");
  const { tree } = await world.call(listOwnItems, root, {});
  expect(tree.map((item) => item.path)).not.toContain("/bypass/bypass");
  const items = ["/", "/dataCentre/payOrder", "/dataCentre/payOrder/refund"];
  const requestId = randomUUID();
  const made = await world.call(addOwnPosition, root, { requestId, name: "店长", items });
  expect(await world.call(addOwnPosition, root, { requestId, name: "店长", items })).toEqual(made);
  expect((await world.refused(addOwnPosition, root, { requestId: randomUUID(), name: "店长", items })).fields).toHaveProperty("name");
  for (const wrong of ["/bypass/bypass", "/jurisdiction/audit", "/admin/serviceProvider", "/nothing"])
    expect(
      (await world.refused(addOwnPosition, root, { requestId: randomUUID(), name: "越权", items: [...items, wrong] })).fields,
    ).toHaveProperty("items");
  const emp = await world.signIn("emp01");
  const { users } = world.tree;
  expect(await world.call(assignPosition, root, { id: made.id, userIds: [users.emp01, users.fin01] })).toEqual({ given: 2, taken: 0 });
  expect((await world.refused(getAccount, emp, {})).status).toBe(401);
  expect(await paths("emp01")).toEqual(expect.arrayContaining(items));
  expect(await paths("fin01")).toHaveLength(3);
  expect((await world.refused(removeOwnPosition, root, { id: made.id })).code).toBe("position.held");
  await world.call(updateOwnPosition, root, { id: made.id, name: "店长", items: ["/"] });
  expect(await paths("fin01")).toEqual(["/"]);
  // A sub-account of the root's level is not left without one; a store's person may do without.
  expect((await world.refused(assignPosition, root, { id: made.id, userIds: [users.emp01] })).fields).toHaveProperty("userIds");
  expect(await world.call(assignPosition, root, { id: world.tree.position, userIds: [users.fin01] })).toEqual({ given: 1, taken: 0 });
  expect(await world.call(assignPosition, root, { id: made.id, userIds: [] })).toEqual({ given: 0, taken: 1 });
  await world.call(removeOwnPosition, root, { id: made.id });
  expect((await world.call(listPositions, root, {})).items.map(({ name }) => name)).toEqual(["财务"]);
  for (const [endpoint, input] of [
    [updateOwnPosition, { id: world.tree.position, name: "偷", items: ["/"] }],
    [removeOwnPosition, { id: world.tree.position }],
    [assignPosition, { id: world.tree.position, userIds: [] }],
  ] as const)
    expect((await world.refused(endpoint as never, await world.signIn("mch03"), input as never)).status).toBe(404);
});

test("what the root loses its positions lose, and they can't give it again", async () => {
  const [root, sp] = [await world.signIn("mch01"), await world.signIn("sp01")];
  await world.call(setGrant, sp, {
    id: world.tree.users.mch01,
    items: ["/", "/dataCentre/payOrder", "/jurisdiction/permission", "/bypass/bypass"],
  });
  expect((await world.refused(getAccount, root, {})).status).toBe(401);
  const again = await world.signIn("mch01");
  const [position] = (await world.call(listPositions, again, {})).items;
  expect([position!.items.length, position!.held]).toEqual([6, 2]);
  expect(await paths("fin01")).toEqual(["/", "/dataCentre/payOrder"]);
  const lost = ["/", "/dataCentre/exports"];
  expect((await world.refused(updateOwnPosition, again, { id: position!.id, name: "财务", items: lost })).fields).toHaveProperty("items");
  expect((await world.refused(addOwnPosition, again, { requestId: randomUUID(), name: "新", items: lost })).fields).toHaveProperty("items");
  await world.call(setGrant, sp, { id: world.tree.users.mch01, items: null });
  expect(await paths("fin01")).toHaveLength(6);
});

test("a sub-account changes its name without being signed out, and its rights only together with a new sign-in", async () => {
  const root = await world.signIn("mch01");
  const { users, position } = world.tree;
  const before = await world.call(getStaff, root, { id: users.fin01 });
  const fin = await world.signIn("fin01");
  const given = { id: users.fin01, positionId: position, storeIds: before.storeIds, areaIds: [] };
  await world.call(updateStaff, root, { ...given, firstName: "苏会计" });
  expect(await world.call(getAccount, fin, {})).toMatchObject({ firstName: "苏会计" });
  await world.call(updateStaff, root, { ...given, firstName: "苏会计", storeIds: before.storeIds.slice(1) });
  expect((await world.refused(getAccount, fin, {})).status).toBe(401);
  expect(await world.call(getStaff, root, { id: users.fin01 })).toMatchObject({ storeIds: before.storeIds.slice(1) });
  expect((await world.refused(updateStaff, root, { ...given, firstName: "苏", positionId: null })).fields).toHaveProperty("positionId");
  expect((await world.refused(updateStaff, root, { ...given, firstName: "苏", id: users.emp01, storeIds: [] })).fields).toHaveProperty(
    "storeIds",
  );
  expect((await world.refused(updateStaff, await world.signIn("mch03"), { ...given, firstName: "苏" })).status).toBe(404);
});

test("a provider and the platform have sub-accounts of their own", async () => {
  for (const [login, level] of [
    ["sp01", "SP"],
    ["admin", "ADMIN"],
  ] as const) {
    const root = await world.signIn(login);
    const { id } = await world.call(addOwnPosition, root, { requestId: randomUUID(), name: "客服", items: ["/dataCentre/payOrder"] });
    await world.call(addAccount, root, { login: `${login}.staff`, firstName: "客服", level, positionId: id });
    expect((await world.call(listStaff, root, {})).items.map((row) => row.login)).toEqual([`${login}.staff`]);
    expect(await paths(`${login}.staff`)).toEqual(["/dataCentre/payOrder"]);
  }
});
