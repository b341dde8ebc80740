import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { placeInAccount, sealKey } from "../accounts/account-keys.ts";
import { platformAccountOf } from "../accounts/account-of.ts";
import { ok } from "../platform/answers.ts";
import { givePlatforms } from "../platform/open-platform.ts";
import { verifyPlatforms } from "../verify-platforms.ts";
import { decideFound, noteFound } from "../verifying/find-out.ts";
import { holdAttempt, settleAttempt } from "../verifying/settle.ts";
import { addPlatformEntries } from "./add-entries.ts";
import { takeBills, takeDay } from "./take-bills.ts";

// What 抖音 has on record of a day, page by page, written down by hand.
let world: World;
let server: Server;
let records: object[][];
let lines: (object[] | "silence")[];
const ALL = platformScope("test days");
beforeAll(async () => {
  world = await openWorld();
  server = createServer((request, reply) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const page = Number(url.searchParams.get("cursor") ?? 0);
    const say = (data: object) => void reply.writeHead(200).end(JSON.stringify({ data: { error_code: 0, ...data } }));
    if (url.pathname.endsWith("/client_token/")) return say({ access_token: "t", expires_in: 7_200 });
    if (url.pathname.endsWith("/verify_record/query/")) return say({ records: records[page] ?? [] });
    const some = lines[page] ?? [];
    if (some === "silence") return void request.socket.destroy();
    say({ ledger_records: some, cursor: String(page + 1), has_more: page + 1 < lines.length });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  givePlatforms(world.services, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(async () => {
  [records, lines] = [[[]], [[]]];
  await emptyTables(world.truth, "platform_entries, voucher_verifications, platform_vouchers, platform_bill_days, platform_accounts");
});
afterEach(async () => expect(await withScope(world.services.pool, ALL, verifyPlatforms)).toEqual([]));
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await world.close();
});
const shop = () => world.tree.merchants.mch01;
async function connect(merchant = shop(), secret?: string) {
  const { id: merchant_id, serviceProviderId: service_provider_id } = merchant;
  const id = randomUUID();
  const sealed = secret ?? sealKey(world.services, placeInAccount("secret", { service_provider_id, id }), "secret");
  await world.truth(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, app_key, secret_sealed, by_name, created_at, updated_at)
      values ($1, $2, $3, 'dy', $4, 'merchant', 'app', $5, 'x', now(), now())`,
    [service_provider_id, id, merchant_id, `LK-${id.slice(0, 8)}`, sealed],
  );
  return { service_provider_id, merchant_id, platform: "dy" } as const;
}
const opened = async () => {
  const of = await connect();
  return (await withScope(world.services.pool, ALL, (tx) => platformAccountOf(tx, world.services, of)))!;
};
const yesterday = () => addDays(shanghaiDay(world.services.clock.now_ms()), -1);
const at = (time: string, day = yesterday()) => Date.parse(`${day}T${time}+08:00`) / 1_000;
const use = (n: number, more: object = {}) => ({
  verify_id: `v${n}`,
  certificate_id: `c${n}`,
  poi_id: "66",
  verify_time: at("12:00:00"),
  status: 1,
  amount: { pay_amount: 1_000 },
  ...more,
});
const line = (n: number, goods: number, more: object = {}) => ({
  certificate_id: `c${n}`,
  verify_id: `v${n}`,
  poi_id: "66",
  verify_time: at("12:00:00"),
  amount: { goods, pay_handling: 6, ledger_total: goods + 6 },
  ...more,
});
const facts = () =>
  world.truth(
    "select kind, certificate_id as of, part, goods_cents::int as goods, day::text from platform_entries order by kind, of, part",
  );
const day = () => world.truth("select whole, why from platform_bill_days where day = $1", [yesterday()]);

test.each([
  ["by its number", (no: string) => ({ ledger_id: no })],
  ["without a number", () => ({})],
])("a voucher with two lines that a page parts keeps both, %s, however often and in whatever order they come", async (_how, named) => {
  const account = await opened();
  lines = [[line(1, 500), line(2, 300, named("a"))], [line(2, 200, named("b"))]];
  expect(await takeDay(world.services, account, yesterday())).toBe(true);
  lines = [[line(2, 200, named("b"))], [line(2, 300, named("a")), line(1, 500)]];
  await takeDay(world.services, account, yesterday());
  expect(await facts()).toMatchObject([
    { of: "c1", part: 0, goods: 500 },
    { of: "c2", part: 0, goods: 300 },
    { of: "c2", part: 1, goods: 200 },
  ]);
});
test("a line that comes later, before the others, is one more", async () => {
  const account = await opened();
  lines = [[line(2, 300, { ledger_id: "a" })]];
  await takeDay(world.services, account, yesterday());
  lines = [[line(2, 200, { ledger_id: "b" }), line(2, 300, { ledger_id: "a" })]];
  await takeDay(world.services, account, yesterday());
  expect((await facts()).map(({ goods }) => goods)).toEqual([300, 200]);
});
test("a page that does not come is told, and the day comes again the next night", async () => {
  await connect();
  // An account that cannot be opened is not the others' fault.
  await connect(world.tree.merchants.mch03, "nonsense");
  lines = [[line(1, 500)], "silence"];
  await takeBills.run(world.services, {});
  expect(await day()).toEqual([{ whole: false, why: "账单第 2 页没有取到" }]);
  expect(await facts()).toHaveLength(1);
  const first = yesterday();
  lines = [[line(1, 500)], [line(2, 300)]];
  world.services.clock.advance(86_400_000);
  await takeBills.run(world.services, {});
  expect(await world.truth("select whole, why from platform_bill_days where day = $1", [first])).toEqual([{ whole: true, why: "" }]);
  expect(await facts()).toHaveLength(2);
});
test("what cannot be read is left out and told; the rest of its page is taken", async () => {
  const account = await opened();
  records = [[use(1), use(2, { certificate_id: "" }), use(3, { amount: { pay_amount: -5 } }), use(4, { certificate_id: "9".repeat(65) })]];
  lines = [[line(1, 500), line(2, 1, { certificate_id: "" })]];
  expect(await takeDay(world.services, account, yesterday())).toBe(false);
  expect((await facts()).map(({ kind, of }) => [kind, of])).toEqual([
    ["external", "c1"],
    ["ledger", "c1"],
  ]);
  expect(await day()).toEqual([{ whole: false, why: "核销记录第 1 页：3 条读不懂；账单第 1 页：1 条读不懂" }]);
  // It is not waited for for ever: after eight days the rest is the record.
  const first = yesterday();
  const kept = () => world.truth("select came, unread, uses_taken_at is not null as kept from platform_bill_days where day = $1", [first]);
  expect(await kept()).toEqual([{ came: true, unread: 4, kept: false }]);
  world.services.clock.advance(7 * 86_400_000);
  await takeDay(world.services, account, first);
  expect(await kept()).toEqual([{ came: true, unread: 4, kept: true }]);
  expect(await world.truth("select certificate_id from platform_day_uses")).toEqual([{ certificate_id: "c1" }]);
});
test("unverified: D13, the record of a day holds what was taken back after midnight: a use of 23:59, taken back at 00:30, counts on two days", async () => {
  const account = await opened();
  const today = addDays(yesterday(), 1);
  records = [
    [
      use(1, { verify_time: at("23:59:59"), status: 2, cancel_time: at("00:30:00", today) }),
      // Not said when: on the day on which it is seen.
      use(2, { verify_time: at("23:59:59"), status: 2 }),
    ],
  ];
  await takeDay(world.services, account, yesterday());
  expect((await facts()).map((fact) => [fact["kind"], fact["of"], fact["day"]])).toEqual([
    ["external", "c1", yesterday()],
    ["external", "c2", yesterday()],
    ["reverse", "c1", today],
    ["reverse", "c2", today],
  ]);
});
test("the platform's own record of a day is kept as it came last, and one that did not come whole leaves it", async () => {
  const account = await opened();
  const record = () =>
    world.truth("select certificate_id as of, pay_cents::int as pay, reversed from platform_day_uses order by certificate_id");
  records = [[use(1), use(2)]];
  await takeDay(world.services, account, yesterday());
  expect(await record()).toEqual([
    { of: "c1", pay: 1_000, reversed: false },
    { of: "c2", pay: 1_000, reversed: false },
  ]);
  const [first] = await world.truth("select uses_taken_at from platform_bill_days");
  // A row that nobody can read, and pages of the bill that do not come.
  world.services.clock.advance(60_000);
  records = [[use(1, { status: 2 }), use(3, { certificate_id: "" })]];
  await takeDay(world.services, account, yesterday());
  expect(await record()).toHaveLength(2);
  expect(await world.truth("select uses_taken_at from platform_bill_days")).toEqual([first]);
  records = [[use(1, { status: 2 })]];
  lines = ["silence"];
  await takeDay(world.services, account, yesterday());
  expect(await record()).toEqual([{ of: "c1", pay: 1_000, reversed: true }]);
  expect(await day()).toEqual([{ whole: false, why: "账单第 1 页没有取到" }]);
});
test("while a day's record is written anew, what is told of its uses waits for nobody", async () => {
  const account = await opened();
  records = [[use(1)]];
  lines = [[line(1, 500)], "silence"];
  await takeDay(world.services, account, yesterday());
  lines = [[line(1, 500)]];
  // Somebody has the record in hand.
  const other = new pg.Client(world.services.owner);
  await other.connect();
  try {
    await other.query("begin; select set_config('app.scope', 'PLATFORM||||||||', true); select 1 from platform_day_uses for update");
    const taken = takeDay(world.services, account, yesterday());
    await expect
      .poll(() =>
        world.truth("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from%platform_day_uses%'"),
      )
      .toHaveLength(1);
    await withScope(world.services.pool, ALL, async (tx) => {
      await sql`set local lock_timeout = 2000`.execute(tx);
      const { service_provider_id, merchant_id, platform } = account;
      const back = {
        service_provider_id,
        merchant_id,
        store_id: null,
        platform,
        kind: "reverse",
        certificate_id: "c1",
        verify_id: "v1",
      } as const;
      await addPlatformEntries(tx, world.services, [{ ...back, pay_cents: 1_000, happened_at: `${yesterday()}T05:00:00.000Z` }]);
    });
    await other.query("rollback");
    expect(await taken).toBe(true);
  } finally {
    await other.end();
  }
  expect(await world.truth("select whole from platform_bill_days")).toEqual([{ whole: true }]);
});

/** A try without a result, whose voucher the platform has named, or not. */
async function openAttempt(account: { readonly id: string }, certificate_id: string) {
  const { id: merchant_id, serviceProviderId: service_provider_id, stores } = shop();
  const [id, voucher, hash] = [randomUUID(), randomUUID(), randomBytes(32)];
  const place = [service_provider_id, merchant_id, stores[0]!.id, account.id];
  await world.truth(
    `insert into platform_vouchers (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_hash, tail, certificate_id, title, goods_kind, face_cents, pay_cents, created_at, updated_at)
      values ($1, $2, $3, $4, 'dy', $5, $6, '', $7, '套餐', 1, 1000, 1000, now(), now())`,
    [...place, voucher, hash, certificate_id],
  );
  await world.truth(
    `insert into voucher_verifications (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_id, voucher_hash, nth, batch_id, place, request_id, status, poi_id, certificate_id, pay_cents, by_name, started_at)
      values ($1, $2, $3, $4, 'dy', $5, $6, $7, 1, $5, 0, $5, 3, '66', $8, 1000, '小周', $9)`,
    [...place, id, voucher, hash, certificate_id, new Date(at("11:59:58") * 1_000).toISOString()],
  );
  return { service_provider_id, id };
}
test("a use that may be a try's without a result waits for it", async () => {
  const account = await opened();
  await openAttempt(account, "");
  records = [[use(1), use(2, { verify_time: at("09:00:00") }), use(3, { poi_id: "67" })]];
  expect(await takeDay(world.services, account, yesterday())).toBe(false);
  expect((await facts()).map(({ of }) => of)).toEqual(["c2", "c3"]);
  expect(await day()).toEqual([{ whole: false, why: "核销记录第 1 页：1 条等本店的结果" }]);
});
test("a use whose try has no result keeps its day open, which comes each night until people have looked", async () => {
  const account = await opened();
  const { id } = await openAttempt(account, "c1");
  const first = yesterday();
  records = [[use(1)]];
  expect(await takeDay(world.services, account, first)).toBe(false);
  expect(await day()).toEqual([{ whole: false, why: "核销记录第 1 页：1 条等本店的结果" }]);
  expect(await facts()).toEqual([]);
  // Nine days later they say that it was not ours.
  world.services.clock.advance(9 * 86_400_000);
  await world.truth("update voucher_verifications set status = 2 where id = $1", [id]);
  await takeBills.run(world.services, {});
  expect((await facts()).map(({ kind, of }) => [kind, of])).toEqual([["external", "c1"]]);
  expect(await world.truth("select whole from platform_bill_days where day = $1", [first])).toEqual([{ whole: true }]);
});
test("a use that people settled before its voucher was named is known by its number, to the day and to its bill", async () => {
  const account = await opened();
  const found = { used: true, verifyId: "v1" };
  const settle = async (certificates: string) => {
    const ref = await openAttempt(account, "");
    const attempt = () => withScope(world.services.pool, ALL, (tx) => holdAttempt(tx, ref));
    await withScope(world.services.pool, ALL, async (tx) =>
      noteFound(tx, world.services, (await holdAttempt(tx, ref))!, { id: randomUUID(), name: "甲" }, found),
    );
    await withScope(world.services.pool, ALL, async (tx) =>
      decideFound(tx, world.services, (await holdAttempt(tx, ref))!, { id: randomUUID(), name: "乙" }, { agree: true, ...found }),
    );
    expect(await attempt()).toMatchObject({ status: 1, certificate_id: certificates });
  };
  await settle("v1");
  records = [[use(1)]];
  lines = [[line(1, 500)]];
  expect(await takeDay(world.services, account, yesterday())).toBe(true);
  expect((await facts()).map(({ kind, of }) => [kind, of])).toEqual([
    ["ledger", "v1"],
    ["verify", "v1"],
  ]);
  expect(await world.truth("select certificate_id, verify_id from platform_day_uses")).toEqual([{ certificate_id: "v1", verify_id: "v1" }]);
  // The night came first: they are told the voucher's own certificate, and of a use that is told already that it counts.
  await emptyTables(world.truth, "platform_entries, platform_day_uses, platform_bill_days, voucher_verifications, platform_vouchers");
  const waits = await openAttempt(account, "");
  expect(await takeDay(world.services, account, yesterday())).toBe(false);
  await world.truth("delete from voucher_verifications where id = $1", [waits.id]);
  await settle("c1");
  expect(await takeDay(world.services, account, yesterday())).toBe(true);
  expect((await facts()).map(({ kind, of }) => [kind, of])).toEqual([
    ["ledger", "c1"],
    ["verify", "c1"],
  ]);
  records = [[use(1), use(2, { poi_id: "67" })]];
  await takeDay(world.services, account, yesterday());
  const other = await openAttempt(account, "");
  await expect(
    withScope(world.services.pool, ALL, async (tx) =>
      noteFound(tx, world.services, (await holdAttempt(tx, other))!, { id: randomUUID(), name: "甲" }, { used: true, verifyId: "v2" }),
    ),
  ).rejects.toThrow("平台端核的");
});
test("a use that the platform's day told first counts once, and whose the try was people have to say", async () => {
  const account = await opened();
  records = [[use(1)]];
  await takeDay(world.services, account, yesterday());
  const ref = await openAttempt(account, "c1");
  await withScope(world.services.pool, ALL, (tx) =>
    settleAttempt(tx, world.services, ref, { answer: ok({ verifyId: "v1", certificateId: "c1" }), sure: true }),
  );
  expect(await world.truth("select status, message from voucher_verifications")).toEqual([
    { status: 3, message: "平台给的核销号已经记过" },
  ]);
  expect((await facts()).map(({ kind }) => kind)).toEqual(["external"]);
});
