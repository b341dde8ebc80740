import { randomUUID } from "node:crypto";
import type { Endpoint, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addApplymentFile,
  addApplymentLink,
  addFillFile,
  askApplyment,
  findFillBanks,
  findFillBranches,
  getDossier,
  getFillPage,
  listApplymentLinks,
  revokeApplymentLink,
  saveDossier,
  saveFillPage,
} from "../../contract/index.ts";
import { NO_REASON } from "../../contract/codes.ts";
import { applyment } from "../index.ts";
import { type ApplymentWorld, come, openApplymentWorld } from "../testing/applyment-world.ts";

let world: ApplymentWorld;
beforeAll(async () => {
  world = await openApplymentWorld();
});
beforeEach(() => world.clean());
afterAll(() => world.close());

/** A call of somebody without an account. */
const outside = <E extends Endpoint>(endpoint: E, given: object): Promise<OutputOf<E>> =>
  world.askOutside(
    applyment.routes.find((one) => one.endpoint === endpoint)!,
    (endpoint.kind === "read" ? { params: given, query: given } : { body: given }) as never,
  ) as Promise<OutputOf<E>>;
async function link(steps: number[], login = "sp01"): Promise<{ id: string; token: string }> {
  const { id } = await world.call(login, addApplymentLink, {
    requestId: randomUUID(),
    merchantId: world.merchantId,
    steps: steps as never,
    days: 3,
  });
  const { items } = await world.call(login, listApplymentLinks, { merchantId: world.merchantId });
  const url = items.find((one) => one.id === id)!.url!;
  return { id, token: url.split("/").at(-1)! };
}

test("a link reads and writes its steps and no others, secrets masked, each writing in the record", async () => {
  await world.filled();
  const { token } = await link([3, 5]);
  const page = await outside(getFillPage, { token });
  expect(page.values["account.number"]).toBe("****0128");
  expect(page.values["store.address"]).toBe("春熙路 1 号");
  expect(
    [...page.paths, ...Object.keys(page.values), ...Object.keys(page.versions), ...page.findings.map(({ path }) => path)].filter((path) =>
      /^(contact|legal|licence|subject|settlement)\./.test(path),
    ),
  ).toEqual([]);
  expect(JSON.stringify(page)).not.toMatch(/王小明|510104198506123436|6222021234567890128|13800009021/);
  const change = (path: string, value: string, version = 1) => ({ token, changes: [{ path, value, version }] });
  const after = await outside(saveFillPage, change("business.phone", "02833334444"));
  expect([after.values["business.phone"], after.versions["business.phone"]]).toEqual(["02833334444", 2]);
  const { writers, values } = await world.call("sp01", getDossier, { merchantId: world.merchantId });
  expect([writers["business.phone"], values["business.phone"]]).toEqual(["商户（链接）", "02833334444"]);
  // Somebody else's field, an old version, another step.
  await expect(outside(saveFillPage, change("business.phone", "0285555"))).rejects.toMatchObject({ status: 409, code: "dossier.changed" });
  await expect(outside(saveFillPage, change("legal.name", "别人"))).rejects.toMatchObject({ status: 400 });
  await expect(outside(saveFillPage, change("nothing.here", "x"))).rejects.toMatchObject({ status: 400 });
  const { id: file } = await outside(addFillFile, { token, base64: await photoForTests() });
  await outside(saveFillPage, { token, changes: [{ path: "store.indoor", value: [file], version: 1 }] });
  const rows = await world.owner<{ detail: string }>(
    "select detail::text as detail from audit_log where endpoint like '/api/applyment-page/%'",
  );
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toContain("02833334444");
});

test("a link with the account finds its bank's branch in WeChat Pay's lists, or has it typed; one of other steps finds none", async () => {
  await emptyTables(world.owner, "bank_lists");
  const { token } = await link([5]);
  const bank = (await come(() => outside(findFillBanks, { token, kind: "corporate", q: "农村" }))).items[0]!;
  expect(bank.name).toBe("成都农村商业银行");
  const branches = (q: string) => come(() => outside(findFillBranches, { token, bank: bank.code, area: "510100", q }));
  const [branch] = (await branches("青羊 第40支行")).items;
  expect(branch).toMatchObject({ name: "成都农村商业银行成都市青羊第40支行" });
  // What the list has not is typed, and nothing is left to say of it.
  const { paths } = await outside(saveFillPage, { token, changes: [{ path: "account.bank", value: "其他银行", version: 0 }] });
  expect(paths).toEqual(expect.arrayContaining(["account.branchId", "account.branchName"]));
  expect((await branches("没有这家")).items).toEqual([]);
  const said = async () => (await outside(getFillPage, { token })).findings.filter(({ path }) => path.startsWith("account.branch"));
  expect(await said()).not.toEqual([]);
  await outside(saveFillPage, { token, changes: [{ path: "account.branchName", value: "成都农村商业银行新开支行", version: 0 }] });
  expect(await said()).toEqual([]);
  // WeChat Pay is down, and nothing is kept: told, no fault.
  await emptyTables(world.owner, "bank_lists");
  await world.simulator.control("POST faults", { kind: "error-500", operation: "bank-list", times: 50 });
  expect((await branches("")).why).toMatch(/请重新选或手填|请手填/);
  await world.simulator.control("DELETE faults");
  const other = await link([3]);
  await expect(outside(findFillBanks, { token: other.token, kind: "corporate", q: "" })).rejects.toMatchObject({ status: 409 });
  await expect(outside(findFillBanks, { token: `${token.slice(0, -1)}x`, kind: "corporate", q: "" })).rejects.toMatchObject({
    status: 404,
  });
});

test("a link ends, is taken back, and others' are none", async () => {
  const first = await link([1]);
  const second = await link([2], "agent01");
  const open = (token: string) => outside(getFillPage, { token });
  await open(first.token);
  await expect(world.call("sp02", revokeApplymentLink, { id: first.id })).rejects.toMatchObject({ status: 404 });
  await world.call("sp01", revokeApplymentLink, { id: first.id });
  await expect(open(first.token)).rejects.toMatchObject({ status: 404, code: "applyment.link-over" });
  await expect(
    outside(saveFillPage, { token: first.token, changes: [{ path: "contact.type", value: "LEGAL", version: 0 }] }),
  ).rejects.toMatchObject({
    status: 404,
  });
  await expect(open(`${second.token.slice(0, -1)}${second.token.endsWith("A") ? "B" : "A"}`)).rejects.toMatchObject({ status: 404 });
  world.services.clock.advance(3 * 86_400_000 + 1_000);
  await expect(open(second.token)).rejects.toMatchObject({ status: 404 });
  const { items } = await world.call("sp01", listApplymentLinks, { merchantId: world.merchantId });
  expect(items.map(({ url }) => url)).toEqual([null, null]);
});

test("a merchant has five living links at most, also where they are asked for at once", async () => {
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => link([1])));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  const { items } = await world.call("sp01", listApplymentLinks, { merchantId: world.merchantId });
  expect(items.filter(({ url }) => url !== null)).toHaveLength(5);
});

test("after a rejection a link says WeChat's reasons at its own fields, and which of them are still as they were", async () => {
  await world.filled({ "business.shortName": "驳回小店" });
  const [{ token }, other] = [await link([3]), await link([5])];
  expect((await outside(getFillPage, { token })).rejected).toEqual([]);
  await world.submit();
  await world.until("REJECTED");
  const { rejected, closed } = await outside(getFillPage, { token });
  expect([rejected, closed]).toEqual([
    [{ path: "business.shortName", reason: expect.stringContaining("商户简称") as string, untouched: true }],
    null,
  ]);
  // Of the identity card's picture, which another step holds, nothing is said.
  expect((await outside(getFillPage, { token: other.token })).rejected).toEqual([]);
  const saved = await outside(saveFillPage, { token, changes: [{ path: "business.shortName", value: "验证小店", version: 1 }] });
  expect(saved.rejected).toMatchObject([{ path: "business.shortName", untouched: false }]);
  await world.submit();
  expect((await outside(getFillPage, { token })).rejected).toEqual([]);
});

test("whoever guesses a rejected secret by a link is not told when the guess is what was sent", async () => {
  await world.filled({ "business.shortName": "驳回小店" });
  const { token } = await link([5]);
  const id = await world.submit();
  await world.until("REJECTED");
  const rejectAccount = () =>
    world.owner(
      "update applyments set rejected = jsonb_build_array(rejected->0 || jsonb_build_object('paths', array['account.number', 'account.bank'], 'reason', $1::text))",
      [NO_REASON],
    );
  await rejectAccount();
  const said = (page: OutputOf<typeof getFillPage> | OutputOf<typeof saveFillPage>) =>
    Object.fromEntries(page.rejected.map(({ path, untouched }) => [path, untouched]));
  const before = await outside(getFillPage, { token });
  expect(said(before)).toEqual({ "account.number": true, "account.bank": true });
  const guess = async (path: string, value: string) => {
    const { versions } = await outside(getFillPage, { token });
    return said(await outside(saveFillPage, { token, changes: [{ path, value, version: versions[path]! }] }));
  };
  const [wrong, right] = [await guess("account.number", "6222021234567800128"), await guess("account.number", "6222021234567890128")];
  expect([wrong, right]).toEqual([wrong, wrong]);
  expect(said(await outside(getFillPage, { token }))).toEqual({ "account.number": false, "account.bank": true });
  // What is no secret says it by what stands there.
  expect(await guess("account.bank", before.values["account.bank"] as string)).toMatchObject({ "account.bank": true });
  expect(await guess("account.bank", "招商银行")).toMatchObject({ "account.bank": false });
  // WeChat Pay, asked again, tells of the same rejection: who wrote since stays noted.
  world.services.clock.advance(61_000);
  await world.call("sp01", askApplyment, { id });
  await world.sweep("chase-applyments");
  expect((await outside(getFillPage, { token })).rejected).toEqual([]);
  await rejectAccount();
  expect(said(await outside(getFillPage, { token }))).toEqual({ "account.number": false, "account.bank": false });
});

test("whoever guesses a name by a link is not told when it is the one of another step; the office is", async () => {
  await world.filled();
  const { token } = await link([3, 5]);
  const guess = async (path: string, value: string) => {
    const { versions } = await outside(getFillPage, { token });
    const { findings } = await outside(saveFillPage, { token, changes: [{ path, value, version: versions[path]! }] });
    const { findings: office } = await world.call("sp01", getDossier, { merchantId: world.merchantId });
    const of = (all: readonly { readonly path: string; readonly text: string }[]) =>
      all.filter((one) => one.path === path).map(({ text }) => text);
    return { link: of(findings), office: of(office) };
  };
  for (const [kind, paths] of [
    ["BANK_ACCOUNT_TYPE_PERSONAL", ["account.name", "business.shortName"]],
    ["BANK_ACCOUNT_TYPE_CORPORATE", ["account.name"]],
  ] as const) {
    await guess("account.type", kind);
    for (const path of paths) {
      const [wrong, person, licence] = [
        await guess(path, "李大力"),
        await guess(path, "王小明"),
        await guess(path, "成都市锦江区蜀味川菜馆"),
      ];
      expect([person.link, licence.link]).toEqual([wrong.link, wrong.link]);
      expect(new Set([wrong, person, licence].map(({ office }) => office.join())).size).toBeGreaterThan(1);
    }
  }
});

test("while WeChat Pay has the papers a link changes nothing; two at once, one is told", async () => {
  await world.filled({ "business.shortName": "慢慢小店" });
  const { token } = await link([3]);
  const save = (value: string) => outside(saveFillPage, { token, changes: [{ path: "store.name", value, version: 1 }] });
  const office = world.call("sp01", saveDossier, {
    merchantId: world.merchantId,
    changes: [{ path: "store.name", value: "乙店", version: 1 }],
  });
  const both = await Promise.allSettled([save("甲店"), office]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await world.submit();
  expect((await outside(getFillPage, { token })).closed).toContain("审核期间不能修改");
  await expect(save("丙店")).rejects.toMatchObject({ status: 409 });
  // Also where the office was first, and nothing was counted.
  await world.owner("update applyment_links set saves = 500, saves_on = $1", [shanghaiDay(world.services.clock.now_ms())]);
  await expect(save("丙店")).rejects.toMatchObject({ status: 429 });
});

test("five pictures and a text at once all arrive; a link leaves the office room for its own", async () => {
  const { token } = await link([3]);
  const base64 = await photoForTests();
  const all = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => outside(addFillFile, { token, base64 })),
    outside(saveFillPage, { token, changes: [{ path: "store.name", value: "甲店", version: 0 }] }),
  ]);
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "fulfilled"));
  await world.owner(
    `insert into applyment_files (service_provider_id, id, merchant_id, sha256, size_bytes, by_name, created_at)
      select f.service_provider_id, gen_random_uuid(), f.merchant_id, f.sha256, f.size_bytes, f.by_name, f.created_at
      from (select * from applyment_files limit 1) f, generate_series(1, 55)`,
  );
  await expect(outside(addFillFile, { token, base64 })).rejects.toMatchObject({ status: 409 });
  await world.call("sp01", addApplymentFile, { merchantId: world.merchantId, base64 });
});

test("a disabled provider's links are over, and no link's address is kept by the request that made it", async () => {
  const { token } = await link([1]);
  expect(JSON.stringify(await world.owner("select answer from idempotency_keys"))).not.toContain(token);
  await world.owner(
    "update service_providers set state = 'disabled' where id = (select service_provider_id from merchants where id = $1)",
    [world.merchantId],
  );
  await expect(outside(getFillPage, { token })).rejects.toMatchObject({ status: 404 });
  await expect(outside(saveFillPage, { token, changes: [{ path: "contact.type", value: "LEGAL", version: 0 }] })).rejects.toMatchObject({
    status: 404,
  });
  await world.owner("update service_providers set state = 'active' where state = 'disabled'");
  await outside(getFillPage, { token });
});
