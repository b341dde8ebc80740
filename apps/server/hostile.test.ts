import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachOf, statusOf } from "./testing/matrix/cells.ts";
import type { Caller } from "./testing/matrix/people.ts";
import { mutantsOf, type Mutant } from "./testing/hostile/mutators.ts";
import { POLICIES } from "./testing/matrix/policies.ts";
import type { Policy } from "./testing/matrix/policy.ts";
import { RAW, sendRaw } from "./testing/hostile/raw-requests.ts";
import { shapeFault } from "./testing/hostile/refusals.ts";
import { openHttpWorld } from "./testing/open-world.ts";
import type { Answer, HttpWorld } from "./testing/world.ts";

let world: HttpWorld;
let port: number;
beforeAll(async () => {
  world = await openHttpWorld();
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  port = (world.app.server.address() as AddressInfo).port;
  const { log } = world.services;
  const error = log.error.bind(log);
  log.error = ((said: { err?: Error }, ...more: never[]) => {
    if (said?.err) reasons.push(`${said.err.stack}`.slice(0, 600));
    error(said, ...more);
  }) as typeof log.error;
});
afterAll(() => world.close());
/** What the service logged of its faults: the answer says nothing of them. */
const reasons: string[] = [];

/** Fields that the samples leave out, with values that work. */
const PAGING = {
  pageSize: "10",
  sort: "-createdAt",
  withTotal: "true",
  cursor: "WyIyMDI2LTExLTIwVDA0OjAwOjAwLjAwMFoiLCIwMWExZjcxYy03NjAwLTcwMDAtODAwMC0wMTIzNDU2Nzg5YWIiXQ",
};
const DAYS = { from: "2026-11-01", to: "2026-11-20" };
const AMOUNTS = { minCents: "1", maxCents: "100", status: "2", channel: "0", tool: "0" };
const ID = "01a1f71c-7600-7000-8000-0123456789ab";
const MORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "GET /api/orders/pay-orders": {
    ...PAGING,
    ...DAYS,
    ...AMOUNTS,
    keyword: "T-mch01-0-paid",
    dateOf: "paid",
    orderType: "0",
    payMethod: "native",
    refunded: "true",
    merchantId: ID,
  },
  "GET /api/orders/pay-orders/summary": { ...DAYS, ...AMOUNTS, keyword: "1234", cashierId: ID },
  "GET /api/orders/refunds": { ...PAGING, ...DAYS, ...AMOUNTS, keyword: "R20261120", refundType: "1", storeId: ID, dateOf: "finished" },
  "GET /api/orders/refunds/summary": { ...DAYS, ...AMOUNTS, keyword: "R20261120", deviceId: ID, cashierId: ID },
  "GET /api/reconciliation/days": { ...PAGING, ...DAYS, sort: "day", state: "ready", source: "wechat", merchantId: ID },
  "GET /api/reconciliation/differences": { ...PAGING, ...DAYS, sort: "day", class: "amount", status: "open", keyword: "P1", dayId: ID },
  "GET /api/stores/cashiers": { keyword: "C01", merchantId: ID, storeId: ID, id: ID },
  "GET /api/devices/lookup": { merchantId: ID, storeId: ID, id: ID },
  "GET /api/orders/refund-requests": { ...PAGING, ...DAYS, keyword: "R20261120", state: "pending" },
  "GET /api/orders/handovers": { ...PAGING, ...DAYS, storeId: ID },
  "GET /api/orders/shift": { cashierId: ID },
  "GET /api/users/list": { ...PAGING, keyword: "mch", level: "MCH", state: "active" },
  "GET /api/exports": { ...PAGING, status: "1", keyword: "支付" },
  "GET /api/statistics/overview": { ...DAYS, compareDay: "2026-11-19" },
  "GET /api/statistics/dashboard": { ...DAYS, by: "week" },
  "GET /newokpayorderservice/api/merchants": { keyword: "川菜" },
  "GET /newokpayorderservice/api/service-providers": { keyword: "禾木" },
  "GET /newokpayorderservice/api/stores/list": { keyword: "路", type: "all", regionId: ID },
  "GET /sfpfacadeservicepc/api/other_store/stores/query": { keyword: "dy", platform: "dy", state: "mapped", merchantId: ID },
  "POST /api/authenticateNew": { captchaId: ID, captcha: "ABCDE", totp: "123456", newPassword: "Regen-2026-warm" },
  "POST /api/users/add": { positionId: ID, storeIds: "x", areaIds: "x", nodeId: ID, serviceProviderId: ID },
  "POST /api/exports": { columns: "x", filter: "x", format: "csv" },
  "GET /api/store-hardware/printers": { ...PAGING, keyword: "前台", storeId: ID },
  "GET /api/store-hardware/speakers": { ...PAGING, keyword: "前台", storeId: ID },
  "GET /api/store-hardware/outputs": { ...PAGING, kind: "printer", hardwareId: ID },
  "POST /api/till/orders": {
    couponCents: "1",
    pointsCents: "1",
    storedValueCents: "1",
    authCode: "130000000000000002",
    openId: "o",
    wallet: "alipay",
    cashierCode: "C011",
    face: "true",
    orderType: "0",
  },
  "POST /api/orders/handovers": { cashierId: ID, note: "x" },
  "GET /api/products": { ...PAGING, keyword: "2012345012508", category: "奶茶", tagId: ID, source: "own", state: "on" },
  "GET /api/product-stores": { ...PAGING, keyword: "BOX", storeId: ID, stock: "low", state: "on" },
  "GET /api/base-goods": { ...PAGING, keyword: "可乐", owner: "provider", merchantId: ID },
  "GET /api/till/catalog": { since: "1", cursor: `1.1.${ID}` },
  "POST /api/products/price": { from: "2026-12-01T00:00:00Z", confirmed: "true" },
  "POST /sfpfacadeservicepc/api/other_store/save": { storeId: ID },
};
const ASKERS: readonly Caller[] = ["mch01", "sp01", "admin", "till mch01/0", "agent01"];

/** Somebody for whom the route works. */
function askerOf({ who, sample }: Policy): Caller {
  if (who === "public" || who === "channel") return "anonymous";
  if (who === "device") return "till mch01/0";
  if (who === "member") return "member mch01";
  return ASKERS.find((caller) => (who === "signed-in" || who.includes(caller as "admin")) && sample(world, caller) !== undefined)!;
}
// What must never be told: a trace of the code, a statement, a file, a table.
const TELLING =
  /node_modules|\.ts:\d|\bat \w+ \(|\bselect\b .*\bfrom\b|insert into|violates|syntax error|relation "|ECONN|FST_|SyntaxError|TypeError|ZodError/i;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
function faultOf(policy: Policy, { status, text, headers, body, changed }: Answer, verb: string): string | undefined {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 160)} ${reasons.at(-1) ?? ""}`;
  if (TELLING.test(text) || TELLING.test(JSON.stringify(headers))) return `tells ${TELLING.exec(text + JSON.stringify(headers))?.[0]}`;
  if (policy.keeps) return undefined;
  if (status >= 400 && changed.size > 0) return `was refused with ${status} and changes ${[...changed].join(", ").slice(0, 100)}`;
  return status >= 400 && verb !== "HEAD" ? shapeFault(policy, status, headers, body) : undefined;
}

/** A row that somebody holds is a 503 that asks to come again, which a busy machine says of itself; one that stays is a fault. */
async function sendAgain(caller: Caller, request: Mutant["request"], more = 3): Promise<Answer> {
  const answer = await world.send(caller, request);
  if (answer.status !== 503 || (answer.body as { code?: string }).code !== "busy" || more === 0) return answer;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return sendAgain(caller, request, more - 1);
}

test.each(RAW)("bytes that are %s get a refusal in our own form or none, and the next one is served", async (_name, bytes) => {
  const { status, headers, text } = await sendRaw(port, bytes);
  expect(status ?? 0).toBeLessThan(500);
  // Node refuses a missing host and an expectation by itself, without a word.
  const wordless = text === "" || text.startsWith("0\r\n");
  if (status !== undefined && status >= 400 && !wordless) {
    expect([shapeFault(undefined, status, headers, jsonOf(text)), TELLING.exec(text)?.[0]]).toEqual([undefined, undefined]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  }
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
});

test("nothing that anybody sends brings it down, makes it tell too much, or changes anything when it says no", async () => {
  const known = new Set(POLICIES.map((policy) => policy.route as string));
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const work: { policy: Policy; caller: Caller; mutant: Mutant }[] = [];
  for (const policy of POLICIES) {
    const caller = askerOf(policy);
    const given = policy.sample(world, caller)!;
    const [verb = "", path = ""] = policy.route.split(" ");
    const works =
      policy.keeps ||
      statusOf(policy, await world.send(caller, { verb, path, ...given })) === (policy.who === "signed-in" ? 200 : policy.ok);
    if (!works && policy.ok < 400) faults.push(`${policy.route} does not work unspoilt as ${caller}`);
    for (const mutant of mutantsOf(policy.route, given, MORE[policy.route] ?? {}, known)) work.push({ policy, caller, mutant });
  }
  // HOSTILE=all sends them all; by itself each way of spoiling meets a ninth of the routes' fields, always the same.
  const routeAt = new Map(POLICIES.map((policy, at) => [policy, at]));
  const sent = process.env["HOSTILE"] === "all" ? work : work.filter(({ policy }, at) => (at + routeAt.get(policy)!) % 9 === 0);
  await eachOf(sent, async ({ policy, caller, mutant }) => {
    const answer = await sendAgain(caller, mutant.request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const fault = faultOf(policy, answer, mutant.request.verb);
    if (fault) faults.push(`${policy.route}: ${mutant.how}: ${fault}`);
  });
  process.stdout.write(
    `hostile: ${sent.length} of ${work.length} requests, ${[...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, n]) => `${n} × ${status}`)
      .join(", ")}\n`,
  );
  expect([faults.length, ...faults.slice(0, 200)]).toEqual([0]);
}, 900_000);
