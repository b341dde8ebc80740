import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import {
  cancelVoucher,
  cancelVoucherAtTill,
  decideVoucherFound,
  getDesk,
  listVouchers,
  noteVoucherFound,
  prepareVoucher,
  savePlatformAccount,
  type VoucherPlatform,
  verifyVoucher,
} from "@zhangfang/domains/platforms/contract/index.ts";
import { givePlatforms, platforms, verifyPlatforms } from "@zhangfang/domains/platforms/server/index.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { openGroupBuy } from "./group-buy.ts";

// What a lost, late or half answer may do to an attempt: nothing is guessed, and no use is told twice.
type Answer = Awaited<NonNullable<ReturnType<ReturnType<typeof openGroupBuy>>>>;
/** What happens to one call: it reaches the platform or not, and its answer comes, or another, or none. */
interface Spoiled {
  readonly path: RegExp;
  readonly how: (reach: () => Promise<Answer>, body: string) => Promise<Answer>;
  readonly always?: boolean;
}
let world: TillWorld;
let server: Server;
let url: string;
let spoiled: Spoiled[] = [];
let heard: string[] = [];
beforeAll(async () => {
  world = await openTillWorld({ above: [platforms] });
  const groupBuy = openGroupBuy(() => world.services.clock.now_ms());
  server = createServer((request, reply) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      const asked = { url: request.url ?? "", method: request.method ?? "", headers: request.headers, body };
      heard.push(asked.url.split("?")[0]!);
      const reach = async () => (await groupBuy(asked)) ?? ("silence" as const);
      const at = spoiled.findIndex(({ path }) => path.test(asked.url));
      const one = spoiled[at];
      if (one && one.always !== true) spoiled.splice(at, 1);
      void (one ? one.how(reach, body) : reach()).then((answer) => {
        if (answer === "silence") request.socket.destroy();
        else reply.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  await emptyTables(
    world.owner,
    "platform_entries, platform_notices, platform_calls, platform_tokens, voucher_verifications, platform_vouchers, platform_accounts, other_stores",
  );
  spoiled = [];
  givePlatforms(world.services, url);
  for (const platform of ["dy", "ks"] as const) await connect(platform);
  heard = [];
});
afterEach(async () => expect(await world.look(verifyPlatforms)).toEqual([]));
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await world.close();
});

const POI = "7200000000000000001";
const shop = () => world.tree.merchants.mch01;
const store = () => shop().stores[0]!;
const call = async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  (await world.ask(
    "mch01",
    platforms.routes.find((one) => one.endpoint === endpoint)!,
    input as object,
  )) as never;
const refused = (doing: Promise<unknown>) =>
  doing.then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
  );
async function connect(platform: VoucherPlatform): Promise<void> {
  await call(savePlatformAccount, {
    platform,
    revision: 0,
    accountNo: `LK-${platform}`,
    appOf: "merchant",
    appKey: `key-${platform}`,
    secret: `secret-${platform}`,
    takeRate: 2_500,
    ...(platform === "ks" && { refreshToken: "grant", signSecret: "sign-ks" }),
  });
  await world.owner(
    "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, is_primary, updated_at) values ($1, $2, $3, $4, $5, '春熙路店', $6, true, now())",
    [shop().serviceProviderId, randomUUID(), shop().id, platform, POI, store().id],
  );
}
const steer = (given: object) =>
  fetch(`${url}/group-buy`, { method: "POST", body: JSON.stringify(given) }).then(
    (answer) => answer.json() as Promise<{ certificate: string; uses: number }>,
  );
const usesOf = async (scan: string) => (await steer({ act: "look", platform: "douyin", code: scan })).uses;
let serial = 2_000_000;
const code = (end: string, platform: VoucherPlatform = "dy") => `${platform === "dy" ? "1" : "8"}0${serial++}8${end}`;
const prepare = (scan: string) => call(prepareVoucher, { storeId: store().id, scan });
const verify = (ticket: string, requestId = randomUUID(), count = 1) =>
  call(verifyVoucher, { storeId: store().id, requestId, ticket, count });
const spend = async (scan: string) => (await verify((await prepare(scan)).ticket))[0]!;
const desk = () => call(getDesk, { storeId: store().id });
const attempt = async (id: string) => {
  const { today, open } = await desk();
  return [...today, ...open].find((one) => one.id === id)!;
};
const ask = async (seconds = 6) => {
  world.services.clock.advance(seconds * 1_000);
  await world.sweep("ask-vouchers");
};
const facts = () =>
  world.owner<{ kind: string; verify_id: string; day: string; user_id: string | null; device_id: string | null }>(
    "select kind, verify_id, day::text, user_id, device_id from platform_entries order by happened_at, kind desc",
  );
const verifies = () => heard.filter((path) => /certificate\/verify\/?$/.test(path)).length;
const answer = (data: object): Answer => ({
  status: 200,
  type: "application/json",
  text: JSON.stringify({ data: { error_code: 0, description: "", ...data }, extra: { error_code: 0 } }),
});
const says = (error_code: number, description: string) => () => Promise.resolve(answer({ error_code, description }));
const lost = async (reach: () => Promise<Answer>): Promise<Answer> => {
  await reach();
  return "silence";
};
const dropped = () => Promise.resolve("silence" as const);
const VERIFY = /certificate\/verify\/?$/;
const RECORDS = /verify_record\/query/;
const noRecords: Spoiled = { path: RECORDS, how: () => Promise.resolve(answer({ records: [], total: 0 })), always: true };

describe("a call whose answer was lost", () => {
  test("is not settled by the first no to another call: 快手 has it used, and two people look", async () => {
    const scan = code("04", "ks");
    const { id } = await spend(scan);
    spoiled = [{ path: VERIFY, how: says(1_204, "verify_token 无效"), always: true }];
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 3, needsPerson: false });
    for (let n = 0; n < 15; n++) await ask(61);
    expect(await attempt(id)).toMatchObject({ status: 3, needsPerson: true });
    expect(await facts()).toEqual([]);
  });
  test("unverified: D12, a use stands on record soon; until it does nobody calls it used elsewhere", async () => {
    spoiled = [noRecords];
    const { id } = await spend(code("04"));
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 3 });
    spoiled = [];
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 1 });
    expect(await facts()).toHaveLength(1);
  });
  test("was used at another store, by the record of that store", async () => {
    const scan = code("07");
    const { id } = await spend(scan);
    await steer({ act: "use", platform: "douyin", code: scan, poi: "7200000000000000009" });
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 2, message: expect.stringMatching(/^已在别处核销，/) });
  });
  test("is ours although the voucher was refunded since", async () => {
    const scan = code("04");
    const { id } = await spend(scan);
    await steer({ act: "refund", platform: "douyin", code: scan });
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 1 });
  });
  test("a busy answer is no no: free a moment later, it goes out again", async () => {
    spoiled = [{ path: VERIFY, how: says(2_100_004, "系统繁忙") }];
    const { id } = await spend(code("20"));
    expect(await attempt(id)).toMatchObject({ status: 3 });
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 1 });
    expect(verifies()).toBe(2);
  });
  test("of a batch does not go out again once a voucher of it has ended: that one would be used by it", async () => {
    const scan = code("09");
    const seen = await prepare(scan);
    expect(seen.most).toBe(2);
    // The first is being given away, of the second nothing is said.
    spoiled = [
      {
        path: VERIFY,
        how: (_reach, body) => {
          const [first] = (JSON.parse(body) as { encrypted_codes: string[] }).encrypted_codes;
          return Promise.resolve(answer({ verify_results: [{ result: 2_119_006, msg: "转赠中", code: first }] }));
        },
      },
    ];
    const [first, second] = await verify(seen.ticket, randomUUID(), 2);
    expect([first!.status, second!.status]).toEqual([2, 3]);
    for (let n = 0; n < 15; n++) await ask(41);
    expect(await attempt(second!.id)).toMatchObject({ status: 3, needsPerson: true });
    expect(verifies()).toBe(1);
    expect(await usesOf(scan)).toBe(0);
  });
});

test("a call that nobody repeated for long is not made once the guest is gone", async () => {
  const scan = code("07");
  const { id } = await spend(scan);
  await ask(3 * 3_600);
  for (let n = 0; n < 15; n++) await ask(41);
  expect(await attempt(id)).toMatchObject({ status: 3, needsPerson: true });
  expect(verifies()).toBe(1);
  expect(await usesOf(scan)).toBe(0);
});
test("a yes is a yes although the record of its call could not be written", async () => {
  const { ticket } = await prepare(code("20"));
  await world.owner("alter table platform_calls add constraint no_end check (operation <> 'verify' or outcome is null) not valid");
  const [told] = await verify(ticket);
  await world.owner("alter table platform_calls drop constraint no_end");
  expect(told).toMatchObject({ status: 1 });
});
test("of vouchers that were all used before one is asked for its time after another", async () => {
  const scan = code("09");
  const { ticket } = await prepare(scan);
  for (const one of [scan, `${scan.slice(0, -2)}19`])
    await steer({ act: "use", platform: "douyin", code: one, poi: "7200000000000000009" });
  let [now, most] = [0, 0];
  const how = async (reach: () => Promise<Answer>) => {
    most = Math.max(most, ++now);
    await new Promise((next) => setTimeout(next, 50));
    now--;
    return reach();
  };
  spoiled = [{ path: /certificate\/get/, how, always: true }];
  const told = await verify(ticket, randomUUID(), 2);
  expect(told).toMatchObject([
    { status: 2, message: expect.stringMatching(/^已在别处核销，/) },
    { status: 2, message: expect.stringMatching(/^已在别处核销，/) },
  ]);
  expect(most).toBe(1);
});

describe("a 次卡", () => {
  test("whose last use is lost right after the one before: each attempt has its own use", async () => {
    const scan = code("03");
    await spend(scan);
    await spend(scan);
    world.services.clock.advance(20_000);
    spoiled = [{ path: VERIFY, how: lost }];
    const { id } = await spend(scan);
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 1 });
    const told = await facts();
    expect(new Set(told.map(({ verify_id }) => verify_id)).size).toBe(3);
    expect(await usesOf(scan)).toBe(3);
  });
  test("whose use is lost is not used a second time: the record is looked at first, and a late repeat is left to people", async () => {
    const scan = code("03");
    spoiled = [{ path: VERIFY, how: lost }];
    const { id } = await spend(scan);
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 1 });
    expect(await usesOf(scan)).toBe(1);
    // Lost before it was used, and nobody asks for two minutes: the platform may not know the call again.
    spoiled = [{ path: VERIFY, how: dropped }];
    const second = await spend(scan);
    heard = [];
    await ask(120);
    expect(await attempt(second.id)).toMatchObject({ status: 3 });
    // What is open is not scanned again.
    expect(await refused(spend(scan))).toContain("别再扫");
    for (let n = 0; n < 15; n++) await ask(41);
    expect(await attempt(second.id)).toMatchObject({ needsPerson: true });
    expect(verifies()).toBe(0);
    expect(await usesOf(scan)).toBe(1);
  });
  test("that was held and then completed by the platform is settled by its record, though it has uses left", async () => {
    const scan = code("03");
    spoiled = [{ path: VERIFY, how: says(1_229, "核实中") }];
    const { id } = await spend(scan);
    expect(await attempt(id)).toMatchObject({ status: 4 });
    await ask(3_601);
    expect(await attempt(id)).toMatchObject({ status: 4 });
    await steer({ act: "use", platform: "douyin", code: scan, poi: POI });
    await ask(3_601);
    expect(await attempt(id)).toMatchObject({ status: 1 });
  });
  test("goes on after an earlier use was taken back", async () => {
    const scan = code("03");
    const first = await spend(scan);
    await spend(scan);
    await call(cancelVoucher, { id: first.id, reason: "点错了" });
    expect(await spend(scan)).toMatchObject({ status: 1 });
    expect(await spend(scan)).toMatchObject({ status: 1 });
    expect((await call(listVouchers, { platform: "dy" })).items).toMatchObject([{ used: 3, status: 1 }]);
    expect(await usesOf(scan)).toBe(4);
  });
});

describe("a reversal", () => {
  const noticed = async (scan: string) => {
    const { certificate } = await steer({ act: "look", platform: "douyin", code: scan });
    const [account] = await world.owner<{ id: string }>("select id from platform_accounts where platform = 'dy'");
    const job = platforms.jobs.find(({ name }) => name === "ask-noticed-voucher")!;
    const data = { service_provider_id: shop().serviceProviderId, account_id: account!.id, certificate_id: certificate };
    await job.run(world.services, data);
  };
  test("is not done by a 'free' that is older than the use that stands", async () => {
    const scan = code("20");
    const first = await spend(scan);
    await call(cancelVoucher, { id: first.id, reason: "点错了" });
    let second = "";
    // Free at that moment; used again before the answer comes.
    const how = async (reach: () => Promise<Answer>) => {
      const free = await reach();
      second = (await spend(scan)).id;
      return free;
    };
    spoiled = [{ path: /certificate\/get/, how }];
    await noticed(scan);
    expect(await attempt(second)).toMatchObject({ status: 1 });
    expect((await facts()).map(({ kind }) => kind).toSorted()).toEqual(["reverse", "verify", "verify"]);
  });
  test("is not done by a 'free' of a platform that lags behind its own record", async () => {
    const scan = code("20");
    const { id } = await spend(scan);
    const { certificate } = await steer({ act: "look", platform: "douyin", code: scan });
    const how = () => Promise.resolve(answer({ certificate: { certificate_id: certificate, status: 1, verify: {} } }));
    spoiled = [{ path: /certificate\/get/, how }];
    await noticed(scan);
    expect(await attempt(id)).toMatchObject({ status: 1 });
  });
  test("whose process died after the platform's yes ends as reversed", async () => {
    const { id } = await spend(code("20"));
    await world.owner("alter table platform_entries add constraint no_back check (kind <> 'reverse') not valid");
    await refused(call(cancelVoucher, { id, reason: "点错了" }));
    await world.owner("alter table platform_entries drop constraint no_back");
    expect(await attempt(id)).toMatchObject({ status: 5 });
    await ask(61);
    expect(await attempt(id)).toMatchObject({ status: 6 });
    expect((await facts()).map(({ kind }) => kind)).toEqual(["verify", "reverse"]);
  });
  test("that somebody made in 来客 a minute before is one, whatever the no says", async () => {
    const scan = code("20");
    const { id } = await spend(scan);
    await steer({ act: "reverse", platform: "douyin", code: scan });
    expect(await call(cancelVoucher, { id, reason: "点错了" })).toMatchObject({ status: 6 });
  });
  test("that a passing fault refused can be tried again within the hour", async () => {
    const { id } = await spend(code("20"));
    spoiled = [{ path: /certificate\/cancel/, how: says(2_100_004, "系统繁忙") }];
    expect(await call(cancelVoucher, { id, reason: "点错了" })).toMatchObject({ status: 1, cancelMessage: "系统繁忙" });
    expect((await attempt(id)).cancelUntil).not.toBeNull();
    expect(await call(cancelVoucher, { id, reason: "点错了" })).toMatchObject({ status: 6 });
  });
  test("is a fact with whoever did it, at a desk and at a till", async () => {
    const [atDesk, atTill] = [await spend(code("20")), await spend(code("20"))];
    await call(cancelVoucher, { id: atDesk.id, reason: "换店" });
    const route = platforms.routes.find(({ endpoint }) => endpoint === cancelVoucherAtTill)!;
    world.services.clock.advance(1_000);
    await world.askTill(store(), route, { id: atTill.id, reason: "换店" });
    const [desked, tilled] = (await facts()).filter(({ kind }) => kind === "reverse");
    expect(desked).toMatchObject({ user_id: expect.any(String), device_id: null });
    expect(tilled).toMatchObject({ user_id: null, device_id: expect.any(String) });
  });
  test("in 来客 frees the voucher at once: the next use goes on", async () => {
    const scan = code("20");
    const first = await spend(scan);
    await steer({ act: "reverse", platform: "douyin", code: scan });
    world.services.clock.advance(1_000);
    expect(await spend(scan)).toMatchObject({ status: 1 });
    expect(await attempt(first.id)).toMatchObject({ status: 6 });
  });
});

describe("time", () => {
  test("a use that is known late counts when its call was sent: its hour and its day", async () => {
    const scan = code("07", "ks");
    // 23:59:50 in Shanghai.
    world.services.clock.advance(86_400_000 - ((world.services.clock.now_ms() + 8 * 3_600_000) % 86_400_000) - 10_000);
    const seen = await spend(scan);
    await ask(40);
    const [row] = await world.owner<{ status: number; verified_at: string; cancel_until: string; day: string }>(
      `select a.status, a.verified_at, a.cancel_until, e.day::text from voucher_verifications a
        join platform_entries e on e.attempt_id = a.id where a.id = $1`,
      [seen.id],
    );
    expect(row).toMatchObject({ status: 1 });
    expect(Date.parse(row!.verified_at)).toBe(Date.parse(seen.startedAt));
    expect(Date.parse(row!.cancel_until)).toBe(Date.parse(seen.startedAt) + 3_600_000);
    expect(row!.day).toBe(new Date(Date.parse(seen.startedAt) + 8 * 3_600_000).toISOString().slice(0, 10));
  });
  test("抖音 says itself when a repeated call was the use", async () => {
    const { id, startedAt } = await spend(code("07"));
    await ask(30);
    const at = (await attempt(id)).verifiedAt!;
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(startedAt) + 29_000);
  });
  test("a voucher that was over and was prolonged is used like any", async () => {
    const scan = code("20");
    const { id } = await spend(scan);
    await call(cancelVoucher, { id, reason: "换店" });
    world.services.clock.advance(31 * 86_400_000);
    await world.sweep("end-platform-vouchers");
    expect((await call(listVouchers, { platform: "dy" })).items).toMatchObject([{ status: 3 }]);
    await spend(scan);
    expect((await call(listVouchers, { platform: "dy" })).items).toMatchObject([{ status: 1 }]);
  });
});

describe("whom it is left to", () => {
  test("an attempt whose account lost its keys is left to people at once, and is told", async () => {
    const { id } = await spend(code("04"));
    await world.owner("update platform_accounts set app_of = 'provider', app_key = null, secret_sealed = null where platform = 'dy'");
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 3, needsPerson: true });
  });
  test("one whose keys can't be opened holds up nobody, and is left to people", async () => {
    const { id } = await spend(code("04"));
    await world.owner("update platform_accounts set secret_sealed = 'x' where platform = 'dy'");
    await ask();
    expect(await attempt(id)).toMatchObject({ needsPerson: true });
  });
  test("a held voucher is asked hourly through an outage", async () => {
    const { id } = await spend(code("01"));
    givePlatforms(world.services, "http://127.0.0.1:9");
    for (let n = 0; n < 16; n++) await ask(3_601);
    const held = (await desk()).open.find((one) => one.id === id);
    expect(held).toMatchObject({ status: 4, tries: 0, needsPerson: false });
    givePlatforms(world.services, url);
    await ask(3_601);
    expect((await desk()).open).toEqual([]);
    expect(await facts()).toHaveLength(1);
  });
  test("unverified: D11, a verify_id names one use: one that is told already as made in the platform's app is not told again as ours", async () => {
    const { id } = await spend(code("04"));
    const [row] = await world.owner<{ certificate_id: string }>("select certificate_id from voucher_verifications where id = $1", [id]);
    const told = async (verifyId: string) =>
      world.owner(
        `insert into platform_entries (service_provider_id, id, merchant_id, platform, kind, certificate_id, verify_id, happened_at, day, added_at)
          values ($1, gen_random_uuid(), $2, 'dy', 'external', $3, $4, now(), current_date, now())`,
        [shop().serviceProviderId, shop().id, row!.certificate_id, verifyId],
      );
    // The number that the record will name.
    let verifyId = "";
    const how = async (reach: () => Promise<Answer>) => {
      const seen = await reach();
      verifyId = /"verify_id":"(\d+)"/.exec((seen as { text: string }).text)![1]!;
      await told(verifyId);
      return seen;
    };
    spoiled = [{ path: RECORDS, how }];
    await ask();
    expect(await attempt(id)).toMatchObject({ status: 3, message: "平台给的核销号已经记过" });
    await world.owner("update voucher_verifications set next_at = null where id = $1", [id]);
    expect(await refused(call(noteVoucherFound, { id, used: true, verifyId }))).toContain("请记没有核掉");
    expect((await facts()).map(({ kind }) => kind)).toEqual(["external"]);
  });
  test("people confirm what they saw, and nobody else's number", async () => {
    const other = await spend(code("20"));
    const [{ verify_id } = { verify_id: "" }] = await facts();
    const { id } = await spend(code("04", "ks"));
    const dy = await spend(code("04"));
    await world.owner("update voucher_verifications set next_at = null where id = any($1)", [[id, dy.id]]);
    expect(other.status).toBe(1);
    expect(await refused(call(noteVoucherFound, { id: dy.id, used: true, verifyId: verify_id }))).toContain("另一次核销");
    await call(noteVoucherFound, { id, used: true, verifyId: "51" });
    await world.owner("update voucher_verifications set found_by = gen_random_uuid(), found_by_name = '小周' where id = $1", [id]);
    expect(await refused(call(noteVoucherFound, { id, used: false }))).toBe("小周 已核对，请确认或退回");
    expect(await refused(call(decideVoucherFound, { id, agree: true, used: false }))).toContain("请重新看");
    expect(await refused(call(decideVoucherFound, { id, agree: true, used: true, verifyId: "52" }))).toContain("请重新看");
    await call(decideVoucherFound, { id, agree: true, used: true, verifyId: "51" });
    expect(await attempt(id)).toMatchObject({ status: 1 });
  });
});

describe("a request number", () => {
  test("is one call of one ticket: another voucher under it is refused, the same again is the same", async () => {
    const requestId = randomUUID();
    const { ticket } = await prepare(code("20"));
    const [first] = await verify(ticket, requestId);
    expect(await verify(ticket, requestId)).toMatchObject([{ id: first!.id }]);
    expect(await refused(verify((await prepare(code("20"))).ticket, requestId))).toBe("请求号已被使用");
    expect(verifies()).toBe(1);
    // Long after its ticket is over, too.
    world.services.clock.advance(11 * 60_000);
    expect(await verify(ticket, requestId)).toMatchObject([{ id: first!.id }]);
  });
  test("twice at once is one call, and both are told the same attempt", async () => {
    const requestId = randomUUID();
    const { ticket } = await prepare(code("20"));
    const told = await Promise.all([verify(ticket, requestId), verify(ticket, requestId)]);
    expect(new Set(told.map(([one]) => one!.id)).size).toBe(1);
    expect(verifies()).toBe(1);
  });
  test("of two vouchers at once goes out for one", async () => {
    const requestId = randomUUID();
    const tickets = [await prepare(code("20")), await prepare(code("20"))];
    const told = await Promise.all(tickets.map(({ ticket }) => refused(verify(ticket, requestId))));
    expect(told.filter((one) => one === undefined)).toHaveLength(1);
    expect(verifies()).toBe(1);
  });
});

test("where one platform does not answer, the other's 'no such code' is no word about it", async () => {
  spoiled = [{ path: /douyin.*certificate\/prepare/, how: dropped }];
  expect(await refused(prepare(code("20")))).toContain("没有应答");
});
