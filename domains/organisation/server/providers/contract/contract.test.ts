import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAccount, getConfig } from "../../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../../accounts/server/world-for-tests.ts";
import { getProvider, moveContract, renewContract, type ContractMove, type ContractState } from "../../../contract/index.ts";
import { watchContracts } from "./watch-contracts.ts";

let world: World;
let admin: string;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  world.services.clock.set("2026-11-20T04:00:00.000Z");
  admin = await world.signIn("admin");
});
const id = () => world.tree.providers.sp02;
const get = () => world.call(getProvider, admin, { id: id() });
const put = (state: ContractState, until: string | null) =>
  world.truth("alter table service_providers disable trigger guard_contract").then(async () => {
    await world.truth("update service_providers set contract_state = $2, contract_until = $3 where id = $1", [id(), state, until]);
    await world.truth("alter table service_providers enable trigger guard_contract");
  });
const move = async (given: ContractMove, note?: string) => ({
  id: id(),
  version: (await get()).version,
  move: given,
  ...(note && { note }),
});

const WAYS: Readonly<Record<ContractState, Partial<Record<ContractMove, ContractState>>>> = {
  inactive: { submit: "pending", cancel: "cancelled" },
  pending: { approve: "signed", reject: "rejected", cancel: "cancelled" },
  rejected: { submit: "pending", cancel: "cancelled" },
  signed: { cancel: "cancelled" },
  expired: { cancel: "cancelled" },
  cancelled: {},
};
test("every move from every state: the named ways are open, all others are refused and leave it as it was", async () => {
  for (const [from, ways] of Object.entries(WAYS) as [ContractState, Partial<Record<ContractMove, ContractState>>][])
    for (const given of ["submit", "approve", "reject", "cancel"] as const) {
      await put(from, "2027-06-30");
      const to = ways[given];
      if (to === undefined)
        expect((await world.refused(moveContract, admin, await move(given, "原因"))).status, `${from} ${given}`).toBe(409);
      else await world.call(moveContract, admin, await move(given, "原因"));
      expect((await get()).contractState, `${from} ${given}`).toBe(to ?? from);
    }
});

test("the database itself knows no other way", async () => {
  await put("cancelled", null);
  await expect(world.truth("update service_providers set contract_state = 'signed' where id = $1", [id()])).rejects.toThrow("no way");
});

test("a rejection and a cancellation need a reason; of two who move it at once one does", async () => {
  await put("pending", null);
  expect((await world.refused(moveContract, admin, await move("reject"))).fields).toHaveProperty("note");
  const both = [await move("approve"), await move("reject", "资料不全")];
  const done = await Promise.allSettled(both.map((input) => world.call(moveContract, admin, input)));
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("warned 30, 7 and 1 days before, once each; the provider's own people see it; then it ends and may be renewed", async () => {
  await put("signed", "2026-12-31");
  const warned = () => world.truth("select days_before as d from contract_warnings where service_provider_id = $1 order by 1 desc", [id()]);
  const days = async () => (await warned()).map((row) => row["d"]);
  const at = async (moment: string) => {
    world.services.clock.set(moment);
    await watchContracts.run(world.services, {});
    await watchContracts.run(world.services, {});
  };
  await at("2026-11-30T15:00:00.000Z");
  expect(await days()).toEqual([]);
  await at("2026-12-01T00:05:00.000Z");
  expect(await days()).toEqual([30]);
  const sp02 = await world.signIn("sp02");
  expect((await world.call(getConfig, sp02, {})).contractEnds).toEqual({ until: "2026-12-31", daysLeft: 30 });
  expect((await world.call(getConfig, await world.signIn("mch02"), {})).contractEnds).toBeNull();
  await at("2026-12-25T00:05:00.000Z");
  await at("2026-12-30T00:05:00.000Z");
  await at("2026-12-31T00:05:00.000Z");
  expect(await days()).toEqual([30, 7, 1]);
  const told = (login: string) =>
    world.truth("select m.title from messages m join users u on u.id = m.owner_user_id where u.login = $1 order by m.created_at", [login]);
  const words = ["还有 30 天到期", "还有 6 天到期", "还有 1 天到期"];
  expect(await told("sp02")).toEqual(words.map((when) => ({ title: `服务合同${when}` })));
  expect(await told("admin")).toEqual(words.map((when) => ({ title: expect.stringContaining(`的合同${when}`) })));
  expect(await told("sp01")).toEqual([]);
  const mch02 = await world.signIn("mch02");
  expect((await world.call(getProvider, await world.signIn("admin"), { id: id() })).contractState).toBe("signed");
  await at("2027-01-01T00:05:00.000+08:00");
  expect((await world.refused(getAccount, mch02, {})).status).toBe(401);
  await expect(world.signIn("mch02")).rejects.toThrow("停用");
  admin = await world.signIn("admin");
  const { contractState, version, steps, state } = await get();
  // The provider itself stays open: its tills go on.
  expect([contractState, state, steps[0]]).toEqual([
    "expired",
    "active",
    expect.objectContaining({ contractState: "expired", byName: null }),
  ]);
  const term = { id: id(), version, contractFrom: null };
  expect((await world.refused(renewContract, admin, { ...term, contractUntil: "2026-12-31" })).fields).toHaveProperty("contractUntil");
  await world.call(renewContract, admin, { ...term, contractUntil: "2027-12-31" });
  expect((await get()).contractState).toBe("signed");
  await world.call(getAccount, await world.signIn("mch02"), {});
});

test("a cancelled contract puts the tree out at once", async () => {
  await put("signed", null);
  const mch02 = await world.signIn("mch02");
  const { sessionCount } = await get();
  expect((await world.call(moveContract, admin, await move("cancel", "合作终止"))).endedSessions).toBe(sessionCount);
  expect((await world.refused(getAccount, mch02, {})).status).toBe(401);
  expect(
    (await world.refused(renewContract, admin, { id: id(), version: (await get()).version, contractFrom: null, contractUntil: null }))
      .status,
  ).toBe(409);
});
