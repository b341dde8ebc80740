import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, platformScope, storeScope } from "@zhangfang/server/database/scope.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import type { DemoStore } from "../../../apps/demo/tree/tree.ts";
import { call } from "@zhangfang/server/calls/call.ts";
import type { Incoming, Principal } from "@zhangfang/server/calls/ctx.ts";
import { sessionSql, readSession } from "../../accounts/server/index.ts";
import { lockHolders, verifyValue, waitForHolder } from "../../value-book/server/index.ts";
import {
  addMember,
  closeMember,
  decideMerge,
  decideOpenings,
  freezeMember,
  getMember,
  getPayCodeDoor,
  setPayCodeDoor,
  getMemberAccount,
  getMemberTimeline,
  identifyMember,
  joinMember,
  keepMember,
  listMembers,
  listOpenings,
  mergeMembers,
  revealMember,
  sendMemberCode,
  sendMergeCode,
  sendPoints,
  setMemberRemark,
  summariseMembers,
  updateMember,
} from "../contract/index.ts";
import { giveSms, memberCodeOf, members, sendCode, setPin } from "./index.ts";
import { giveAuthCodeDoor } from "../../channels/server/index.ts";
import { ageOn } from "./make-member.ts";
import { searchHash } from "./seal.ts";
import { customers } from "./tickets.ts";
import type { Sms } from "./sms/sms-provider.ts";
import { memberImport } from "./write/import-members.ts";

let world: TillWorld;
const outbox = new Map<string, Sms>();
/** What the provider does with the next messages. */
let sending: "sent" | "refused" | "lost" = "sent";
beforeAll(async () => {
  world = await openTillWorld({ above: [members] });
  giveSms(world.services, {
    async send(sms) {
      if (sending === "refused") return { state: "refused", why: "号码不存在" };
      outbox.set(sms.id, sms);
      if (sending === "lost") throw new Error("no answer");
      return { state: "sent" };
    },
    ask: async (id) => (outbox.has(id) ? { state: "sent" } : { state: "none" }),
  });
});
beforeEach(() => {
  outbox.clear();
  sending = "sent";
  // Limits of codes count by the minute.
  world.services.clock.advance(61_000);
});
afterAll(() => world.close());

const routeOf = (endpoint: Endpoint) => members.routes.find((one) => one.endpoint === endpoint)!;
const as = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(login, routeOf(endpoint), input as object) as Promise<OutputOf<E>>;
const store = (n = 0, merchant: "mch01" | "mch02" = "mch01"): DemoStore => world.tree.merchants[merchant].stores[n]!;
/** As a device of a store. */
async function till<E extends Endpoint>(at: DemoStore, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const rows = await world.owner<{ service_provider_id: string; merchant_id: string }>(
    "select service_provider_id, merchant_id from stores where id = $1",
    [at.id],
  );
  const { service_provider_id, merchant_id } = rows[0]!;
  const device: Principal = {
    kind: "device",
    id: at.devices[0]!.id,
    name: "前台",
    scope: storeScope(service_provider_id, merchant_id, at.id),
    holds: () => false,
  };
  const incoming: Incoming = {
    verb: "POST",
    url: endpoint.path,
    params: {},
    query: {},
    body: input,
    rawBody: Buffer.from(JSON.stringify(input)),
    headers: { "x-device-sn": at.devices[0]!.sn },
    ip: "10.0.0.1",
    host: "localhost",
    traceId: "test",
  };
  return (await call(world.services, { sessionSql, readSession, device: async () => device }, routeOf(endpoint), incoming)) as OutputOf<E>;
}
const refusal = async (asked: Promise<unknown>) => {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, message: error.message, field: Object.keys(error.fields ?? {})[0] };
    throw error;
  }
  throw new Error("was not refused");
};
const refOf = async (id: string) =>
  (
    await world.owner<{ service_provider_id: string; merchant_id: string; id: string; no: string; code_version: number }>(
      "select service_provider_id, merchant_id, id, no, code_version from members where id = $1",
      [id],
    )
  )[0]!;
let n = 0;
const phoneOf = () => `139${String(10_000_000 + ++n)}`;
const codeTo = (phone: string) => [...outbox.values()].findLast((sms) => sms.phone === phone)!.params["code"]!;
/** A member of a store of mch01 whose phone is confirmed. */
async function join(phone = phoneOf(), at = store()) {
  await till(at, sendMemberCode, { phone });
  await world.runJobs();
  const joined = await till(at, joinMember, { phone, sms: codeTo(phone) });
  const { items } = await as("mch01", listMembers, { keyword: joined.memberNo });
  return { ...joined, phone, id: items[0]!.id };
}
const look = <T>(fn: Parameters<typeof withScope<T>>[2]) => withScope(world.services.pool, platformScope("look"), fn);

test("whoever joins at the till with the code of the phone is a member, is found by all that is known, and no list shows the phone", async () => {
  const member = await join();
  expect(member).toMatchObject({ joined: true, stage: 1, proof: "full", points: 0, principalCents: 0 });
  for (const keyword of [member.phone, member.phone.slice(-4), member.memberNo])
    expect((await as("mch01", listMembers, { keyword })).items.map(({ id }) => id)).toContain(member.id);
  expect((await as("mch01", listMembers, { keyword: member.phone.slice(0, 8) })).items).toEqual([]);
  const text = JSON.stringify([await as("mch01", getMember, { id: member.id }), await as("sp01", listMembers, { keyword: member.phone })]);
  expect(text).toContain(`139****${member.phone.slice(-4)}`);
  expect(text).not.toContain(member.phone);
  const kept = await world.owner<{ all: string }>("select m::text as all from members m where id = $1", [member.id]);
  expect(kept[0]!.all).not.toContain(member.phone);
});

test("without a code it is a 准会员 that only earns, and the code makes it the same one's membership", async () => {
  const phone = phoneOf();
  const first = await till(store(), joinMember, { phone });
  expect(first).toMatchObject({ joined: true, stage: 0, proof: "weak" });
  await till(store(), sendMemberCode, { phone });
  await world.runJobs();
  const known = await till(store(), identifyMember, { phone, sms: codeTo(phone) });
  expect(known).toMatchObject({ memberNo: first.memberNo, stage: 1, proof: "full" });
  expect(await till(store(), joinMember, { phone })).toMatchObject({ memberNo: first.memberNo, joined: false, proof: "weak" });
});

test("a code is good once, for five tries, and within five minutes; the limits of phones hold", async () => {
  const phone = phoneOf();
  await till(store(), sendMemberCode, { phone });
  await world.runJobs();
  const code = codeTo(phone);
  const wrong = code === "000000" ? "111111" : "000000";
  expect(await refusal(till(store(), sendMemberCode, { phone }))).toMatchObject({ status: 429, field: "phone" });
  for (let tries = 0; tries < 5; tries++)
    expect(await refusal(till(store(), joinMember, { phone, sms: wrong }))).toMatchObject({ status: 400, field: "sms" });
  expect(await refusal(till(store(), joinMember, { phone, sms: code }))).toMatchObject({ field: "sms" });
  world.services.clock.advance(61_000);
  await till(store(), sendMemberCode, { phone });
  await world.runJobs();
  const second = codeTo(phone);
  await till(store(), joinMember, { phone, sms: second });
  expect(await refusal(till(store(), identifyMember, { phone, sms: second }))).toMatchObject({ field: "sms" });
  world.services.clock.advance(61_000);
  await till(store(), sendMemberCode, { phone });
  await world.runJobs();
  world.services.clock.advance(5 * 60_000 + 1);
  expect(await refusal(till(store(), identifyMember, { phone, sms: codeTo(phone) }))).toMatchObject({ field: "sms" });
});

test("one /64 asks for thirty codes an hour, and a merchant's page for six hundred; a till has its codes still", async () => {
  const [at] = await world.owner<{ service_provider_id: string; merchant_id: string }>(
    "select service_provider_id, merchant_id from stores where id = $1",
    [store().id],
  );
  const ask = (address: string) => look((tx) => sendCode(tx, world.services, at!, phoneOf(), "sign-in", { address }));
  for (let n = 1; n <= 30; n++) await ask(`2001:db8:7:7:${n.toString(16)}::${n}`);
  expect(await refusal(ask("2001:db8:7:7::31"))).toMatchObject({ status: 429, field: "phone" });
  await ask("2001:db8:7:8::31");
  await world.owner(
    `insert into sms_codes (service_provider_id, id, merchant_id, purpose, own, phone_hash, from_hash, code_hash, created_at, expires_at)
      select $1, gen_random_uuid(), $2, 'sign-in', false, sha256(n::text::bytea), sha256(n::text::bytea), 'x', $3, $3 from generate_series(1, 569) n`,
    [at!.service_provider_id, at!.merchant_id, new Date(world.services.clock.now_ms()).toISOString()],
  );
  expect(await refusal(ask("198.51.100.1"))).toMatchObject({ status: 429, field: "phone" });
  await till(store(), sendMemberCode, { phone: phoneOf() });
  world.services.clock.advance(3_600_001);
  await ask("198.51.100.1");
  await world.runJobs();
});

test("a message whose fate is unknown is asked for and not sent twice; a dead provider holds nobody up", async () => {
  const phone = phoneOf();
  sending = "lost";
  await till(store(), sendMemberCode, { phone });
  await world.runJobs().catch(() => {});
  expect(outbox.size).toBe(1);
  expect(await world.owner("select status from sms_messages order by created_at desc, id desc limit 1")).toEqual([{ status: 3 }]);
  sending = "sent";
  await world.runJobs();
  expect(await world.owner("select status, sealed from sms_messages order by created_at desc, id desc limit 1")).toEqual([
    { status: 1, sealed: null },
  ]);
  expect(outbox.size).toBe(1);
  const other = phoneOf();
  // The newest of two is known by its moment.
  world.services.clock.advance(1);
  sending = "refused";
  await till(store(), sendMemberCode, { phone: other });
  await world.runJobs();
  expect(await world.owner("select status, why from sms_messages order by created_at desc, id desc limit 1")).toEqual([
    { status: 2, why: "号码不存在" },
  ]);
});

test("two tills and one phone make one member", async () => {
  for (let round = 0; round < 5; round++) {
    const phone = phoneOf();
    const both = await Promise.all([till(store(0), joinMember, { phone }), till(store(1), joinMember, { phone })]);
    expect(new Set(both.map(({ memberNo }) => memberNo)).size).toBe(1);
    expect(both.filter(({ joined }) => joined)).toHaveLength(1);
  }
});

test("a member code opens once, for this step and the last, and only its own merchant's", async () => {
  const { id } = await join();
  const shower = await refOf(id);
  const code = memberCodeOf(world.services, shower);
  expect(code).toMatch(/^99\d{18}$/);
  const tried = await Promise.allSettled([till(store(0), identifyMember, { code }), till(store(1), identifyMember, { code })]);
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  world.services.clock.advance(30_000);
  const next = memberCodeOf(world.services, shower);
  expect(await refusal(till(store(0, "mch02"), identifyMember, { code: next }))).toMatchObject({ status: 400, field: "code" });
  world.services.clock.advance(30_000);
  expect(await till(store(0), identifyMember, { code: next })).toMatchObject({ proof: "full" });
  world.services.clock.advance(60_000);
  const old = memberCodeOf(world.services, shower);
  world.services.clock.advance(60_001);
  expect(await refusal(till(store(0), identifyMember, { code: old }))).toMatchObject({ field: "code" });
});

test("wrong member codes count: five that name a member shut it at that store for a minute, thirty at a store shut that store", async () => {
  const { id } = await join();
  const shower = await refOf(id);
  const read = (code: string, at = store(0)) => till(at, identifyMember, { code });
  const right = (at = store(0)) => read(memberCodeOf(world.services, shower), at);
  const wrong = { status: 400, field: "code", message: expect.stringContaining("会员码无效") as string };
  const shut = { status: 400, field: "code", message: "读错的会员码太多，请改用手机号，或一分钟后再试" };
  world.services.clock.advance(60_000);
  for (let n = 0; n < 5; n++) expect(await refusal(read(`99${shower.no}0000000${n}`))).toMatchObject(wrong);
  expect(await refusal(right())).toMatchObject(shut);
  // Whoever stands at one store shuts nobody out at another, and nobody else's code suffers from it.
  expect(await right(store(1))).toMatchObject({ memberNo: shower.no });
  const other = await refOf((await join()).id);
  expect(await read(memberCodeOf(world.services, other))).toMatchObject({ memberNo: other.no });
  world.services.clock.advance(60_000);
  expect(await right()).toMatchObject({ proof: "full" });
  world.services.clock.advance(60_000);
  for (let n = 0; n < 30; n++) expect(await refusal(read(`99${String(n).padStart(10, "0")}00000000`))).toMatchObject(wrong);
  expect(await refusal(right())).toMatchObject(shut);
  expect(await right(store(1))).toMatchObject({ proof: "full" });
  world.services.clock.advance(60_000);
  // As six stores that guessed five times each: then no store looks at it.
  await world.owner(
    "insert into code_faults (service_provider_id, merchant_id, key, minute, count) values ($1, $2, $3, date_trunc('minute', $4::timestamptz), 30)",
    [shower.service_provider_id, shower.merchant_id, `member:${shower.no}`, new Date(world.services.clock.now_ms()).toISOString()],
  );
  expect(await refusal(right())).toMatchObject(shut);
  world.services.clock.advance(60_000);
});

test("a member code that was right minutes ago is refused and no guess: the picture that a customer kept shuts nothing", async () => {
  const shower = await refOf((await join()).id);
  const read = (code: string) => till(store(), identifyMember, { code });
  const kept = memberCodeOf(world.services, shower);
  world.services.clock.advance(180_000);
  for (let n = 0; n < 6; n++)
    expect(await refusal(read(kept))).toMatchObject({ field: "code", message: expect.stringContaining("会员码无效") as string });
  expect(await read(memberCodeOf(world.services, shower))).toMatchObject({ proof: "full" });
});

test("five wrong PINs lock it for fifteen minutes, also when they come at once; a PIN outranks the code of a phone", async () => {
  const member = await join();
  const ref = await refOf(member.id);
  await setPin(world.services, ref, { pin: "258013", instead: false }, "会员");
  expect(await till(store(), identifyMember, { phone: member.phone, pin: "258013" })).toMatchObject({ proof: "full" });
  world.services.clock.advance(61_000);
  await till(store(), sendMemberCode, { phone: member.phone });
  await world.runJobs();
  expect(await till(store(), identifyMember, { phone: member.phone, sms: codeTo(member.phone) })).toMatchObject({ proof: "weak" });
  await Promise.all(Array.from({ length: 6 }, () => refusal(till(store(), identifyMember, { phone: member.phone, pin: "000000" }))));
  expect(await refusal(till(store(), identifyMember, { phone: member.phone, pin: "258013" }))).toMatchObject({
    field: "pin",
    message: "支付密码已锁定，请 15 分钟后再试",
  });
  world.services.clock.advance(15 * 60_000 + 1);
  expect(await till(store(), identifyMember, { phone: member.phone, pin: "258013" })).toMatchObject({ proof: "full" });
});

test("a ticket is one order's, this store's, for ten minutes; weak proof spends nothing without PIN, much of it never", async () => {
  const member = await join();
  const ref = await refOf(member.id);
  const at = {
    service_provider_id: ref.service_provider_id,
    merchant_id: ref.merchant_id,
    store_id: store().id,
    at: new Date(world.services.clock.now_ms()).toISOString(),
  };
  const order = async () => {
    const tillNo = `M${++n}`;
    await world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 2_000 });
    return (await world.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNo]))[0]!.id;
  };
  const [first, second] = [await order(), await order()];
  const use = (ticket: string, id: string, spends = { points: 0, stored_cents: 0 }, pin?: string) =>
    look((tx) => customers.use(tx, world.services, at, { id, member_id: ref.id }, ticket, spends, pin));
  expect(await look((tx) => customers.open(tx, world.services, at, member.ticket))).toEqual({ member_id: ref.id, proof: "full" });
  expect(await refusal(look((tx) => customers.open(tx, world.services, { ...at, store_id: store(1).id }, member.ticket)))).toMatchObject({
    status: 400,
    field: "ticket",
  });
  await use(member.ticket, first, { points: 10, stored_cents: 20_000 });
  await use(member.ticket, first);
  expect(await refusal(use(member.ticket, second))).toMatchObject({ field: "ticket" });
  const weak = await till(store(), identifyMember, { phone: member.phone });
  expect(await refusal(use(weak.ticket, second, { points: 1, stored_cents: 0 }))).toMatchObject({ status: 400, field: "pin" });
  await setPin(world.services, ref, { pin: "258013", instead: false }, "会员");
  expect(await refusal(use(weak.ticket, second, { points: 1, stored_cents: 0 }, "000000"))).toMatchObject({ field: "pin" });
  await use(weak.ticket, second, { points: 1, stored_cents: 0 }, "258013");
  const third = await order();
  const shower = await refOf(member.id);
  const full = await till(store(), identifyMember, { code: memberCodeOf(world.services, shower) });
  expect(await refusal(use(full.ticket, third, { points: 0, stored_cents: 20_001 }))).toMatchObject({ field: "pin" });
  await as("mch01", freezeMember, { id: member.id, frozen: true, reason: "顾客挂失" });
  expect(await refusal(use(full.ticket, third, { points: 1, stored_cents: 0 }))).toMatchObject({ status: 409 });
  world.services.clock.advance(10 * 60_000 + 1);
  expect(await refusal(look((tx) => customers.open(tx, world.services, at, full.ticket)))).toMatchObject({ field: "ticket" });
});

test("who pays becomes a 准会员 once, a friend does not, a payment and its refund count, and where the merchant does not want it nobody does", async () => {
  const pay = async (payer: string) => {
    const tillNo = `M${++n}`;
    await world.till(store(), "createTillOrder", { tillNo, tradeType: "MICROPAY", subject: "午餐", grossCents: 2_000, authCode: payer });
    await world.runJobs();
    return tillNo;
  };
  const before = (await as("mch01", summariseMembers, { source: 4 })).count;
  await pay("130000000000000002");
  const again = await pay("130000000000000002");
  const { items, ...page } = await as("mch01", listMembers, { source: 4 });
  expect(page.next).toBeNull();
  expect(items.length).toBeLessThanOrEqual(before + 1);
  expect(items[0]).toMatchObject({ stage: 0, phone: "", spentCents: 4_000, visits: 2 });
  const refund = await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: again, amountCents: 500, reason: "退菜" });
  await world.runJobs();
  world.channel.decide(refund.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
  await world.runJobs();
  expect((await as("mch01", getMember, { id: items[0]!.id })).spentCents).toBe(3_500);
  expect((await as("mch01", getMemberTimeline, { id: items[0]!.id })).items.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["order", "joined"]),
  );
  // A friend's payment makes nobody a member, and no merchant that does not want it gets any.
  const elsewhere = world.tree.merchants.mch02;
  const place = [elsewhere.serviceProviderId, elsewhere.id];
  const payElsewhere = async (more: (orderId: string) => Promise<unknown>) => {
    const tillNo = `M${++n}`;
    const order = { tillNo, tradeType: "MICROPAY" as const, subject: "午餐", grossCents: 2_000, authCode: "130000000000000002" };
    await world.till(store(0, "mch02"), "createTillOrder", order);
    await more((await world.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNo]))[0]!.id);
    await world.runJobs();
    return (await as("mch02", summariseMembers, { source: 4 })).count;
  };
  const friend = (orderId: string) =>
    world.owner(
      `insert into friend_pays (service_provider_id, id, merchant_id, store_id, order_id, orderer, created_at, expires_at)
        values ($1, gen_random_uuid(), $2, $3, $4, 'somebody else', now(), now())`,
      [...place, store(0, "mch02").id, orderId],
    );
  expect(await payElsewhere(friend)).toBe(0);
  const wants = (yes: boolean) => () =>
    world.owner(
      `insert into merchant_settings (service_provider_id, merchant_id, member_at_pay, updated_at) values ($1, $2, $3, now())
        on conflict (service_provider_id, merchant_id) do update set member_at_pay = excluded.member_at_pay`,
      [...place, yes],
    );
  expect(await payElsewhere(wants(false))).toBe(0);
  expect(await payElsewhere(wants(true))).toBe(1);
});

test("a shop sees who was there, another merchant and everybody above but the provider see nobody", async () => {
  const member = await join(phoneOf(), store(3));
  const seen = async (login: string) => (await as(login, listMembers, { keyword: member.memberNo })).items.length;
  expect(await seen("mch01")).toBe(1);
  expect(await seen("sp01")).toBe(1);
  expect(await seen("mch02")).toBe(0);
  expect(await seen("emp01")).toBe(0);
  for (const login of ["agent01", "group01", "team01", "admin"])
    expect(await refusal(as(login, listMembers, {}))).toMatchObject({ status: 403 });
  await till(store(0), identifyMember, { phone: member.phone });
  expect(await seen("emp01")).toBe(1);
  expect(await refusal(as("sp01", revealMember, { id: member.id, reason: "看看" }))).toMatchObject({ status: 403 });
  for (const fn of [() => as("mch02", getMember, { id: member.id }), () => as("mch02", revealMember, { id: member.id, reason: "看看" })])
    expect(await refusal(fn())).toMatchObject({ status: 404 });
});

test("what is personal is shown with a reason, which is on the timeline and in the record; remark and tags are kept", async () => {
  const member = await join();
  expect(await refusal(as("mch01", revealMember, { id: member.id, reason: "" }))).toMatchObject({ status: 400, field: "reason" });
  world.services.clock.advance(1_000);
  expect(await as("mch01", revealMember, { id: member.id, reason: "顾客来电改预约" })).toMatchObject({ phone: member.phone });
  const { items } = await as("mch01", getMemberTimeline, { id: member.id });
  expect(items[0]).toMatchObject({ kind: "revealed", said: "顾客来电改预约" });
  const audit = await world.owner<{ detail: string }>(
    "select detail::text from audit_log where endpoint = '/api/members/reveal' and target_id = $1",
    [member.id],
  );
  expect(audit).toHaveLength(1);
  expect(audit[0]!.detail).not.toContain(member.phone);
  await as("mch01", setMemberRemark, { id: member.id, remark: "不吃香菜", tags: ["老客", "老客", "午市"] });
  expect((await as("mch01", listMembers, { tag: "午市", remark: "香菜" })).items.map(({ id }) => id)).toEqual([member.id]);
  await as("mch01", setMemberRemark, { id: member.id, remark: "不吃香菜", tags: ["老客"] });
  const tagged = async (tag: string) => (await as("mch01", listMembers, { tag })).items.filter(({ id }) => id === member.id).length;
  expect([await tagged("午市"), await tagged("老客")]).toEqual([0, 1]);
});

test("a member is added once, a child only with its guardian, a birthday changes once a year", async () => {
  const given = { storeId: store().id, phone: phoneOf(), name: "陈小雨", consent: true as const };
  expect(await refusal(as("mch01", addMember, { ...given, birthday: "2015-01-01" }))).toMatchObject({ field: "guardian" });
  expect(await refusal(as("mch01", addMember, { ...given, birthday: "2030-01-01" }))).toMatchObject({ field: "birthday" });
  const { id } = await as("mch01", addMember, { ...given, birthday: "1990-05-14", sex: 2 });
  expect(await refusal(as("mch01", addMember, given))).toMatchObject({ field: "phone" });
  const member = await as("mch01", getMember, { id });
  expect(member).toMatchObject({ name: "陈**", birthday: "5 月 14 日", sex: 2, confirmed: false });
  expect((await as("mch01", listMembers, { keyword: "陈小雨" })).items.map((one) => one.id)).toContain(id);
  await as("mch01", updateMember, { id, revision: member.revision, birthday: "1990-05-15" });
  expect(await refusal(as("mch01", updateMember, { id, revision: member.revision, name: "别人" }))).toMatchObject({ status: 409 });
  expect(await refusal(as("mch01", updateMember, { id, revision: member.revision + 1, birthday: "1990-05-16" }))).toMatchObject({
    field: "birthday",
  });
  expect(await refusal(as("mch02", addMember, { ...given, storeId: store().id }))).toMatchObject({ status: 404 });
});

test("points are sent once for a request, and the sums agree with the book", async () => {
  const some = [await join(), await join()];
  const given = { requestId: randomUUID(), ids: some.map(({ id }) => id), points: 300, endsOn: "2026-12-31", reason: "周年礼" };
  expect(await as("mch01", sendPoints, given)).toMatchObject({ sent: 2 });
  expect(await as("mch01", sendPoints, given)).toMatchObject({ sent: 2 });
  const account = await as("mch01", getMemberAccount, { id: some[0]!.id, account: "points" });
  expect(account).toMatchObject({ points: 300, endingPoints: 300, endsOn: "2026-12-31" });
  expect(account.entries).toHaveLength(1);
  expect((await as("mch01", listMembers, { pointsMin: 300, keyword: some[1]!.memberNo })).items).toHaveLength(1);
  expect(await refusal(as("mch02", sendPoints, { ...given, requestId: randomUUID() }))).toMatchObject({ status: 404 });
  // A shop that the customer came to may, too.
  await as("emp01", sendPoints, { ...given, requestId: randomUUID(), ids: [some[0]!.id] });
  expect(await as("emp01", getMemberAccount, { id: some[0]!.id, account: "points" })).toMatchObject({ points: 600 });
  // What one decides alone ends with the day's line, in however many pieces it comes.
  const rest = { ...given, ids: [some[0]!.id], points: 9_401 };
  expect(await refusal(as("mch01", sendPoints, { ...rest, requestId: randomUUID() }))).toMatchObject({ status: 400, field: "points" });
  await as("mch01", sendPoints, { ...rest, points: 9_400, requestId: randomUUID() });
  expect(await look((tx) => verifyValue(tx))).toEqual([]);
});

test("whoever leaves holds nothing that is owed, may come back for seven days, and is forgotten after; the books keep the id", async () => {
  const member = await join();
  await as("mch01", sendPoints, { requestId: randomUUID(), ids: [member.id], points: 50, reason: "补偿" });
  expect(await refusal(as("mch01", closeMember, { id: member.id, reason: "顾客要求" }))).toMatchObject({ field: "giveUp" });
  expect(await as("mch01", closeMember, { id: member.id, giveUp: true, reason: "顾客要求" })).toMatchObject({ ok: true });
  expect(await refusal(till(store(), identifyMember, { phone: member.phone }))).toMatchObject({ status: 409 });
  await as("mch01", keepMember, { id: member.id });
  await till(store(), identifyMember, { phone: member.phone });
  await as("mch01", closeMember, { id: member.id, giveUp: true, reason: "顾客要求" });
  const close = members.jobs.find(({ name }) => name === "close-members")!;
  await close.run(world.services, {});
  expect((await as("mch01", getMember, { id: member.id })).status).toBe(3);
  world.services.clock.advance(7 * 86_400_000);
  await close.run(world.services, {});
  expect(await as("mch01", getMember, { id: member.id })).toMatchObject({ status: 4, name: "", phone: "", tags: [] });
  expect(await world.owner("select 1 from member_identities where member_id = $1", [member.id])).toEqual([]);
  expect(await world.owner("select keep_until::text from member_archive where member_id = $1", [member.id])).toEqual([
    { keep_until: "2031-12-31" },
  ]);
  const anew = await till(store(), joinMember, { phone: member.phone });
  expect(anew).toMatchObject({ joined: true });
  expect(anew.memberNo).not.toBe(member.memberNo);
});

test("two records of one person become one: what is known of both leads to the one that stays", async () => {
  const [old, other] = [await join(), await join()];
  await as("mch01", sendPoints, { requestId: randomUUID(), ids: [other.id], points: 50, reason: "补偿" });
  const merging = { id: other.id, intoNo: old.memberNo, reason: "同一个人" };
  world.services.clock.advance(61_000);
  await as("mch01", sendMergeCode, { id: other.id });
  await world.runJobs();
  // Points do not go to another phone by one person's word, and no code of another purpose is the owner's.
  expect(await refusal(as("mch01", mergeMembers, merging))).toMatchObject({ status: 400, field: "sms" });
  expect(await refusal(as("mch01", mergeMembers, { ...merging, sms: "000000" }))).toMatchObject({ status: 400, field: "sms" });
  expect(await as("mch01", mergeMembers, { ...merging, sms: codeTo(other.phone) })).toMatchObject({ id: old.id });
  expect(await till(store(), identifyMember, { phone: other.phone })).toMatchObject({ memberNo: old.memberNo, points: 50 });
  expect(await as("mch01", getMember, { id: other.id })).toMatchObject({ status: 5, mergedInto: old.id, name: "", phone: "" });
  expect(await refusal(as("mch01", mergeMembers, { id: other.id, intoNo: old.memberNo, reason: "再来一次" }))).toMatchObject({
    status: 409,
  });
});

test("where no phone can say yes another person does: who asked takes it back alone, and what changed since is looked at anew", async () => {
  // So many codes are an hour's at one address.
  world.services.clock.advance(3_600_000);
  const [stays, goes] = [await join(), await join()];
  await as("mch01", sendPoints, { requestId: randomUUID(), ids: [goes.id], points: 50, reason: "补偿" });
  const confirm = (id: string, at: string | null) => world.owner("update members set phone_confirmed_at = $2 where id = $1", [id, at]);
  await confirm(goes.id, null);
  const asking = { id: goes.id, intoNo: stays.memberNo, reason: "换了手机", second: true };
  expect(await refusal(as("mch01", mergeMembers, { ...asking, second: false }))).toMatchObject({ status: 409 });
  // Nobody's value goes to a phone that was never confirmed.
  const back = { id: stays.id, intoNo: goes.memberNo, reason: "换了手机", second: true };
  expect(await refusal(as("mch01", mergeMembers, back))).toMatchObject({ message: expect.stringContaining("还没确认") });
  expect(await as("mch01", mergeMembers, asking)).toEqual({ ok: true, id: stays.id, waits: true });
  expect(await refusal(as("mch01", mergeMembers, asking))).toMatchObject({ status: 409, message: expect.stringContaining("待审核") });
  const waiting = async () => (await as("mch01", getMember, { id: goes.id })).merging;
  const asked = await waiting();
  expect(asked).toMatchObject({ intoNo: stays.memberNo, reason: "换了手机", mayDecide: false });
  const decide = (login: string, id: string, approve: boolean) => as(login, decideMerge, { id, approve });
  expect(await refusal(decide("mch01", asked!.id, true))).toMatchObject({ status: 409, message: expect.stringContaining("另一人") });
  expect(await refusal(decide("mch02", asked!.id, true))).toMatchObject({ status: 404 });
  await decide("mch01", asked!.id, false);
  expect(await refusal(decide("mch01", asked!.id, false))).toMatchObject({ status: 409 });
  expect(await waiting()).toBeNull();
  await as("mch01", mergeMembers, asking);
  await world.owner("update member_merges set asked_by = gen_random_uuid() where member_id = $1 and status = 0", [goes.id]);
  const { id, mayDecide } = (await waiting())!;
  expect(mayDecide).toBe(true);
  await as("mch01", freezeMember, { id: stays.id, frozen: true, reason: "挂失" });
  expect(await refusal(decide("mch01", id, true))).toMatchObject({ status: 409, message: "两个会员都须在正常状态" });
  await as("mch01", freezeMember, { id: stays.id, frozen: false, reason: "找到了" });
  const twice = await Promise.allSettled([decide("mch01", id, true), decide("mch01", id, true)]);
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await as("mch01", getMember, { id: goes.id })).toMatchObject({ status: 5, mergedInto: stays.id, merging: null });
  expect(await as("mch01", getMemberAccount, { id: stays.id, account: "points" })).toMatchObject({ points: 50 });
  // Nobody proved what the one that went was known by: it opens nothing of the one that stays.
  expect(await world.owner("select member_id from member_identities where member_id = any($1)", [[goes.id, stays.id]])).toEqual([
    { member_id: stays.id },
  ]);
  expect(await look((tx) => verifyValue(tx))).toEqual([]);
});

test("a merge that the database has tried again does not ask for another code", async () => {
  const [old, other] = [await join(), await join()];
  await as("mch01", sendPoints, { requestId: randomUUID(), ids: [other.id], points: 50, reason: "补偿" });
  world.services.clock.advance(61_000);
  await as("mch01", sendMergeCode, { id: other.id });
  await world.runJobs();
  await world.owner(`create sequence tries; grant usage on sequence tries to public;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'once more' using errcode = '40001'; end if; return new; end $$;
    create trigger fail_once before update of merged_into on members for each row execute function fail_once()`);
  const merging = { id: other.id, intoNo: old.memberNo, reason: "同一个人", sms: codeTo(other.phone) };
  try {
    expect(await as("mch01", mergeMembers, merging)).toMatchObject({ id: old.id });
  } finally {
    await world.owner("drop function fail_once cascade; drop sequence tries");
  }
});

test("whoever sends points holds the member's value before the row, as a merge does, so that the two never wait in a ring", async () => {
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  const { id } = await join();
  const { merchant_id } = await refOf(id);
  const free = "select pg_try_advisory_xact_lock(hashtextextended('value:' || $1::text || ':' || $2::text, 0)) as free";
  let sending: Promise<unknown> | undefined;
  await look(async (tx) => {
    await sql`select 1 from members m where m.id = ${id} for no key update of m`.execute(tx);
    sending = as("mch01", sendPoints, { requestId: randomUUID(), ids: [id], points: 50, reason: "补偿" });
    while ((await world.owner(waits)).length === 0) await new Promise((then) => setTimeout(then, 10));
    expect(await world.owner(free, [merchant_id, id])).toEqual([{ free: false }]);
  });
  expect(await sending).toMatchObject({ sent: 1 });
});

test("who is buying is not merged away: the order is the survivor's, or there is no merge", async () => {
  for (let round = 0; round < 5; round++) {
    const [buyer, other] = [await join(), await join()];
    const tillNo = `M${++n}`;
    const order = { tillNo, tradeType: "NATIVE" as const, subject: "午餐", grossCents: 2_000, ticket: buyer.ticket };
    const [used, merged] = await Promise.allSettled([
      world.till(store(), "createTillOrder", order),
      as("mch01", mergeMembers, { id: buyer.id, intoNo: other.memberNo, reason: "同一个人" }),
    ]);
    expect([used.status, merged.status].filter((status) => status === "fulfilled")).toHaveLength(1);
    const owners = await world.owner("select m.status from pay_orders o join members m on m.id = o.member_id where o.till_no = $1", [
      tillNo,
    ]);
    expect(owners).toEqual(used.status === "fulfilled" ? [{ status: 1 }] : []);
  }
});

test("a sheet brings members with what they had: points at once, principal when somebody else says so, and each once", async () => {
  const person = await world.owner<{ id: string; service_provider_id: string; merchant_id: string; number: string }>(
    "select u.id, s.service_provider_id, s.merchant_id, s.number from users u, stores s where u.login = 'mch01' and s.id = $1",
    [store().id],
  );
  const { id: user, number } = person[0]!;
  const scope = merchantScope(person[0]!.service_provider_id, person[0]!.merchant_id);
  const rows = [
    { phone: phoneOf(), name: "王建国", storeNumber: number, points: 1_200, principal: 50_000, gift: 5_000 },
    { phone: phoneOf(), storeNumber: number, gift: 3_000 },
    { phone: phoneOf(), storeNumber: "6000000000" },
    { phone: phoneOf(), storeNumber: number, points: 10, pointsEnd: "2020-01-01" },
    // No room here knows levels.
    { phone: phoneOf(), storeNumber: number, level: "金卡" },
  ];
  const verdicts = await look((tx) => memberImport.check(tx, scope, rows, user, world.services));
  expect(verdicts.map((one) => ("errors" in one ? Object.keys(one.errors) : "ok"))).toEqual([
    "ok",
    "ok",
    ["storeNumber"],
    ["pointsEnd"],
    ["level"],
  ]);
  const principal: Principal = { kind: "user", id: user, name: "mch01", scope, holds: () => true };
  const author = {
    services: world.services,
    principal,
    scope,
    now_ms: world.services.clock.now_ms(),
    now: new Date(world.services.clock.now_ms()).toISOString(),
    audit: async () => {},
  };
  const make = (at: number) => look((tx) => memberImport.create(author, tx, (verdicts[at] as { value: never }).value));
  const [first, second] = [await make(0), await make(1)];
  expect(await refusal(make(0))).toMatchObject({ field: "phone" });
  expect(await as("mch01", getMemberAccount, { id: first, account: "stored" })).toMatchObject({
    points: 1_200,
    principalCents: 0,
    giftCents: 0,
  });
  expect(await as("mch01", getMemberAccount, { id: second, account: "stored" })).toMatchObject({ giftCents: 3_000 });
  const { items } = await as("mch01", listOpenings, {});
  expect(items).toMatchObject([{ memberId: first, principalCents: 50_000, mayConfirm: false }]);
  expect(await refusal(as("mch01", decideOpenings, { ids: [items[0]!.id], approve: true }))).toMatchObject({ status: 409 });
  await world.owner("update member_openings set asked_by = gen_random_uuid() where id = $1", [items[0]!.id]);
  await as("mch01", decideOpenings, { ids: [items[0]!.id], approve: true });
  expect(await refusal(as("mch01", decideOpenings, { ids: [items[0]!.id], approve: true }))).toMatchObject({ status: 409 });
  const account = await as("mch01", getMemberAccount, { id: first, account: "stored" });
  expect(account).toMatchObject({ principalCents: 50_000, giftCents: 5_000 });
  expect(account.lots).toHaveLength(1);
  expect(await look((tx) => verifyValue(tx))).toEqual([]);
});

test("a pay code says who it is where the merchant wants it: who paid before earns, and spends with the PIN alone", async () => {
  const ask = (more: object = {}) => till(store(), identifyMember, { authCode: "134567890100000000", ...more });
  const said = { kind: "ok", value: "oPaid1" } as Awaited<ReturnType<Parameters<typeof giveAuthCodeDoor>[1]["openIdOf"]>>;
  let asked = 0;
  let answer = said;
  giveAuthCodeDoor(world.services, { openIdOf: async () => (asked++, answer) });
  expect(await refusal(ask())).toMatchObject({ status: 400, field: "authCode" });
  expect(await refusal(as("mch01", setPayCodeDoor, { opened: true }))).toMatchObject({ field: "apiKey" });
  await as("mch01", setPayCodeDoor, { opened: true, apiKey: "a".repeat(28) + "WXYZ" });
  expect(await as("mch01", getPayCodeDoor, {})).toEqual({ opened: true, keyTail: "WXYZ" });
  expect(await refusal(till(store(), identifyMember, { authCode: "284567890100000000" }))).toMatchObject({ field: "authCode" });
  expect(asked).toBe(0);
  expect(await refusal(ask())).toMatchObject({ status: 404 });
  const member = await join();
  const own = await refOf(member.id);
  await world.owner(
    "insert into member_identities (service_provider_id, merchant_id, kind, subject_hash, member_id, created_at) values ($1, $2, 'openid', $3, $4, now())",
    [own.service_provider_id, own.merchant_id, searchHash(world.services, own.service_provider_id, "openid", "oPaid1"), member.id],
  );
  expect(await ask()).toMatchObject({ memberNo: member.memberNo, proof: "weak" });
  expect(await refusal(ask({ pin: "135790" }))).toMatchObject({ field: "pin" });
  await setPin(world.services, own, { pin: "135790", instead: false }, "会员本人");
  expect(await ask({ pin: "135790" })).toMatchObject({ memberNo: member.memberNo, proof: "full" });
  // Another merchant's tills know nothing of it.
  expect(await refusal(till(store(0, "mch02"), identifyMember, { authCode: "134567890100000000" }))).toMatchObject({ status: 400 });
  answer = { kind: "refused", code: "AUTHCODEEXPIRE", message: "付款码已过期" };
  expect(await refusal(ask())).toMatchObject({ status: 400, field: "authCode" });
  answer = { kind: "unknown", reason: "没有收到应答" };
  expect(await refusal(ask())).toMatchObject({ status: 503 });
  await as("mch01", setPayCodeDoor, { opened: false });
  expect(await refusal(ask())).toMatchObject({ status: 400 });
});

test("an age counts full years", () => {
  expect([ageOn("2012-11-24", "2026-11-24"), ageOn("2012-11-25", "2026-11-24"), ageOn("2012-02-29", "2026-02-28")]).toEqual([14, 13, 13]);
});

test("whoever was merged is locked as who they are now, in one order with others, and closing holds the value before the row", async () => {
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  const free = "select pg_try_advisory_xact_lock(hashtextextended('value:' || $1::text || ':' || $2::text, 0)) as free";
  const joined: Awaited<ReturnType<typeof join>>[] = [];
  for (let m = 0; m < 3; m++) {
    // Ids go by the moment: who stays comes first in the order, who goes last.
    world.services.clock.advance(10);
    joined.push(await join());
  }
  const [stays, other, goes] = joined as [(typeof joined)[0], (typeof joined)[0], (typeof joined)[0]];
  await as("mch01", mergeMembers, { id: goes.id, intoNo: stays.memberNo, reason: "同一个人" });
  const { merchant_id, service_provider_id } = await refOf(stays.id);
  const holder = (member_id: string) => ({ service_provider_id, merchant_id, member_id });
  /** What is free while somebody waits for a value that another has. */
  const whileWaiting = async (has: string, begin: () => Promise<unknown>, ask: () => Promise<unknown>) => {
    const there: { begun?: Promise<unknown>; told?: unknown } = {};
    await look(async (tx) => {
      await waitForHolder(tx, holder(has));
      there.begun = begin();
      while ((await world.owner(waits)).length === 0) await new Promise((then) => setTimeout(then, 10));
      there.told = await ask();
    });
    await there.begun;
    return there.told;
  };
  const isFree = (id: string) => () => world.owner(free, [merchant_id, id]);
  const one = () => look((tx) => waitForHolder(tx, holder(goes.id)));
  expect(await whileWaiting(stays.id, one, isFree(goes.id))).toEqual([{ free: true }]);
  const both = () => look((tx) => lockHolders(tx, [holder(other.id), holder(goes.id)]));
  expect(await whileWaiting(stays.id, both, isFree(other.id))).toEqual([{ free: true }]);
  await as("mch01", closeMember, { id: other.id, giveUp: true, reason: "顾客要求" });
  world.services.clock.advance(7 * 86_400_000);
  const close = () => members.jobs.find(({ name }) => name === "close-members")!.run(world.services, {});
  const rowOf = () => world.owner("select id from members where id = $1 for key share nowait", [other.id]);
  expect(await whileWaiting(other.id, close, rowOf)).toEqual([{ id: other.id }]);
  expect((await as("mch01", getMember, { id: other.id })).status).toBe(4);
});

test("a merge and whoever comes by the older name meet at one end, however they meet", async () => {
  // So many codes are an hour's at one address.
  world.services.clock.advance(3_600_000);
  for (let n = 0; n < 6; n++) {
    const [stays, goes] = [await join(), await join()];
    const { merchant_id, service_provider_id } = await refOf(stays.id);
    const [into, from] = n % 2 ? [stays, goes] : [goes, stays];
    const merge = as("mch01", mergeMembers, { id: from.id, intoNo: into.memberNo, reason: "同一个人" });
    const came = Array.from({ length: 4 }, () =>
      look((tx) => waitForHolder(tx, { service_provider_id, merchant_id, member_id: from.id })).then(({ member_id }) => member_id),
    );
    await merge;
    for (const id of await Promise.all(came)) expect([from.id, into.id]).toContain(id);
    expect(await look((tx) => waitForHolder(tx, { service_provider_id, merchant_id, member_id: from.id }))).toMatchObject({
      member_id: into.id,
    });
  }
});
