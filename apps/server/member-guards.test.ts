import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { plantTicket } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import {
  freezeMember,
  identifyMember,
  joinMember,
  mergeMembers,
  sendMemberCode,
  sendMergeCode,
  setMemberRemark,
} from "@zhangfang/domains/members/contract/index.ts";
import { getCardRefund } from "@zhangfang/domains/stored-value/contract/index.ts";
import { addTimesProduct, sellTimesCardAtTill, useTimesCard } from "@zhangfang/domains/vip/contract/index.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

// What somebody with a member's phone, session or clerk's account for a moment does not get.
let customers: CustomerWorld;
let world: TillWorld;
let product = "";
const as = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(login, routeOf(endpoint), input as object) as Promise<OutputOf<E>>;
const store = () => world.tree.merchants.mch01.stores[0]!;
const till = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.askTill(store(), routeOf(endpoint), input as object) as Promise<OutputOf<E>>;
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
  const facts = { name: "洗车卡", times: 10, giftTimes: 2, priceCents: 50_000 as never, singlePriceCents: 6_000 as never, days: 90 };
  product = (await as("mch01", addTimesProduct, facts)).id;
});
// An address gets thirty codes an hour.
beforeEach(() => world.services.clock.advance(3_700_000));
afterEach(async () => expect(await customers.breaches()).toEqual([]));
afterAll(() => customers.close());

type Somebody = Awaited<ReturnType<CustomerWorld["joined"]>>;
const ticketOf = ({ id }: Somebody) => plantTicket({ till: world, services: world.services }, "mch01", 0, id);
/** The fields of a refusal. */
const refusedAt = (asked: Promise<unknown>) =>
  asked.then(
    () => [],
    (error: unknown) => (error instanceof Refusal ? Object.keys(error.fields ?? {}) : Promise.reject(error)),
  );
const ownCode = (one: Somebody, purpose?: string) => customers.ownCode(one.phone, one.number, purpose);
let n = 0;
/** Goods that are paid by stored value alone. */
async function buys(one: Somebody, cents: number): Promise<void> {
  const sale = { tillNo: `G${++n}`, grossCents: cents as never, ticket: await ticketOf(one) };
  const { quote } = await world.till(store(), "quotePrice", { ...sale, storedValueCents: cents as never });
  await world.till(store(), "createTillOrder", { ...sale, subject: "午餐", quote } as never);
}
async function sends(from: Somebody, to: Somebody, amountCents: number) {
  const sms = await ownCode(from);
  const sent = await from.phone.post("transfer", { requestId: randomUUID(), phone: to.number, amountCents, sms });
  if (sent.status === 200) await to.phone.post("transfers/answer", { id: sent.body["id"], act: "accept" });
  return sent;
}

test("a day without PIN is one day: paid at tills, sent to others and used of times cards, 1,000.00 in all", async () => {
  const [one, friend] = [await customers.joined("林小满"), await customers.joined("陈小雨")];
  await customers.recharge(one.phone);
  await customers.recharge(one.phone);
  await till(sellTimesCardAtTill, {
    tillNo: `G${++n}`,
    ticket: await ticketOf(one),
    productId: product,
    tradeType: "MICROPAY",
    authCode: "130000000000000009",
  });
  const [card] = await world.owner<{ no: string }>("select card_no as no from times_cards where member_id = $1", [one.id]);
  const washes = async (times: number, pin?: string) =>
    till(useTimesCard, { requestId: randomUUID(), ticket: await ticketOf(one), cardNo: card!.no, times, ...(pin && { pin }) });
  // Five of twelve for 500.00 are worth more than 200.00.
  expect(await refusedAt(washes(5))).toEqual(["pin"]);
  await washes(4);
  expect((await sends(one, friend, 20_000)).status).toBe(200);
  await buys(one, 20_000);
  await buys(one, 20_000);
  expect((await sends(one, friend, 20_000)).status).toBe(200);
  // 966.66 so far.
  expect(await refusedAt(buys(one, 5_000))).toEqual(["pin"]);
  expect(await refusedAt(washes(1))).toEqual(["pin"]);
  expect((await sends(one, friend, 5_000)).body).toMatchObject({ fields: { pin: expect.stringContaining("支付密码") } });
  await buys(one, 3_000);
  // With the PIN it goes on, and tomorrow is another day.
  expect((await one.phone.post("pin", { sms: await ownCode(one, "pin"), pin: "135790" })).status).toBe(200);
  await washes(1, "135790");
  expect(await refusedAt(washes(1, "000001"))).toEqual(["pin"]);
  world.services.clock.advance(86_400_000);
  await washes(1);
});

const at = (field: string, text = "") => ({ status: 400, body: { fields: { [field]: expect.stringContaining(text) } } });
const wrongFor = (sms: string) => (sms === "111111" ? "222222" : "111111");

test("where a PIN stands no code makes another one: the old one is asked for, and then every other phone is signed out", async () => {
  const one = await customers.joined("林小满");
  const set = async (more: object) => one.phone.post("pin", { sms: await ownCode(one, "pin"), pin: "135790", ...more });
  const other = customers.phoneAt();
  world.services.clock.advance(61_000);
  await other.post("join", { phone: one.number, sms: await customers.codeFor(other, one.number), consent: 2 });
  expect((await other.get("home")).status).toBe(200);
  expect((await set({})).status).toBe(200);
  expect([(await one.phone.get("home")).status, (await other.get("home")).status]).toEqual([200, 401]);
  expect(await set({ pin: "246801" })).toMatchObject(at("oldPin", "原支付密码"));
  expect(await set({ pin: "246801", oldPin: "000001" })).toMatchObject(at("oldPin", "4 次"));
  expect((await set({ pin: "246801", oldPin: "135790" })).status).toBe(200);
  expect((await one.phone.get("home")).status).toBe(200);
});

test("a code is good for what it was sent for alone, and its message says what that is", async () => {
  const one = await customers.joined("林小满");
  world.services.clock.advance(61_000);
  await till(sendMemberCode, { phone: one.number });
  await world.runJobs();
  const told = customers.lastCode(one.number);
  const clerk = customers.phoneAt();
  expect(await clerk.post("join", { phone: one.number, sms: told, consent: 2 })).toMatchObject(at("sms", "验证码错误"));
  expect(await one.phone.post("pin", { sms: told, pin: "135790" })).toMatchObject(at("sms"));
  expect(await till(identifyMember, { phone: one.number, sms: told })).toMatchObject({ proof: "full" });
  const signIn = await customers.codeFor(clerk, customers.newPhone());
  expect(await refusedAt(till(joinMember, { phone: one.number, sms: signIn }))).toEqual(["sms"]);
  const pin = await ownCode(one, "pin");
  expect(await one.phone.post("close", { sms: pin })).toMatchObject(at("sms"));
  expect((await one.phone.post("pin", { sms: pin, pin: "135790" })).status).toBe(200);
  expect(customers.lastSms(one.number)).toMatchObject({ template: "own-code", params: { use: "设置支付密码" } });
});

test("a phone gets ten codes a day over all merchants, and a stranger at a public page uses up nothing of the owner's own", async () => {
  const one = await customers.joined("林小满");
  const stranger = [customers.phoneAt("mch01"), customers.phoneAt("mch02")] as const;
  world.services.clock.advance(61_000);
  expect((await stranger[0].post("sms", { phone: one.number })).status).toBe(200);
  expect((await stranger[1].post("sms", { phone: one.number })).status).toBe(429);
  // The first was to join with.
  for (let sent = 2; sent < 10; sent++) {
    world.services.clock.advance(61_000);
    expect((await stranger[sent % 2]!.post("sms", { phone: one.number })).status).toBe(200);
  }
  world.services.clock.advance(61_000);
  for (const page of stranger) expect((await page.post("sms", { phone: one.number })).status).toBe(429);
  expect((await one.phone.post("own-sms", { purpose: "pin" })).status).toBe(200);
  // A new phone is somebody else's until it is proved.
  expect((await one.phone.post("own-sms", { purpose: "phone", newPhone: customers.newPhone() })).status).toBe(200);
  expect((await one.phone.post("own-sms", { purpose: "pin", newPhone: customers.newPhone() })).status).toBe(400);
});

test("nobody in the shop merges what a member holds into another's record, nor another's phone into theirs", async () => {
  const [rich, thief] = [await customers.joined("林小满"), await customers.joined("贼")];
  await customers.recharge(rich.phone);
  const merging = { id: rich.id, intoNo: thief.no, reason: "同一个人" };
  const back = { id: thief.id, intoNo: rich.no, reason: "同一个人" };
  world.services.clock.advance(61_000);
  await as("mch01", sendMergeCode, { id: thief.id });
  await world.runJobs();
  const sms = customers.lastCode(thief.number);
  expect(await refusedAt(as("mch01", mergeMembers, merging))).toEqual(["sms"]);
  expect(await refusedAt(as("mch01", mergeMembers, { ...merging, sms }))).toEqual(["sms"]);
  expect(await refusedAt(as("mch01", mergeMembers, { ...back, sms }))).toEqual(["intoSms"]);
  world.services.clock.advance(61_000);
  await as("mch01", sendMergeCode, { id: thief.id, intoNo: rich.no });
  await world.runJobs();
  const yes = customers.lastCode(rich.number);
  expect(await refusedAt(as("mch01", mergeMembers, { ...back, intoSms: wrongFor(yes) }))).toEqual(["intoSms"]);
  expect(await as("mch01", mergeMembers, { ...back, intoSms: yes })).toMatchObject({ id: rich.id });
});

test("a session alone neither leaves, nor asks for a 退卡, nor takes the copy away; the copy tells nothing that the shop wrote", async () => {
  const one = await customers.joined("林小满");
  const requestId = await customers.recharge(one.phone);
  await as("mch01", setMemberRemark, { id: one.id, remark: "爱挑刺的客人", tags: ["黑名单"] });
  await as("mch01", freezeMember, { id: one.id, frozen: true, reason: "疑似羊毛党" });
  await as("mch01", freezeMember, { id: one.id, frozen: false, reason: "误会一场" });
  world.services.clock.advance(61_000);
  await one.phone.post("join", { phone: one.number, sms: await customers.codeFor(one.phone, one.number), consent: 2 });
  const [lot] = ((await one.phone.get("lots")).body as { items: { lotId: string }[] }).items;
  const refund = { requestId, lotId: lot!.lotId, reason: 1, paysCents: 50_000, note: "用不上了" };
  const acts = [
    ["close", { giveUp: true }],
    ["card-refunds", refund],
    ["data", {}],
  ] as const;
  for (const [path, body] of acts) expect(await one.phone.post(path, body)).toMatchObject(at("sms"));
  expect((await one.phone.post("pin", { sms: await ownCode(one, "pin"), pin: "135790" })).status).toBe(200);
  for (const [path, body] of acts) {
    expect(await one.phone.post(path, { ...body, sms: await ownCode(one, "close") })).toMatchObject(at("pin", "请输入"));
    expect(await one.phone.post(path, { ...body, pin: "000001" })).toMatchObject(at("pin", "错误"));
  }
  const copy = await one.phone.post("data", { pin: "135790" });
  expect(copy).toMatchObject({ status: 200, body: { 时间线: expect.arrayContaining([expect.objectContaining({ 经手: "本店" })]) } });
  const staff = await world.owner<{ name: string }>("select distinct by_name as name from member_events where member_id = $1", [one.id]);
  const text = JSON.stringify((copy.body as { 时间线: object }).时间线);
  for (const word of ["挑刺", "黑名单", "羊毛党", "误会", ...staff.map(({ name }) => name)]) expect(text).not.toContain(word);
  // Whoever renamed the member, twice, does not hide who it was from who pays.
  for (const name of ["贼一", "贼二"]) expect((await one.phone.post("profile", { name })).status).toBe(200);
  const asked = await one.phone.post("card-refunds", { ...refund, pin: "135790" });
  expect(asked.status).toBe(200);
  const shown = await as("mch01", getCardRefund, { id: (asked.body as { id: string }).id });
  expect(shown).toMatchObject({ memberName: "贼*", nameBefore: { name: "林**", changedOn: expect.any(String) } });
});

test("who looks a receiver up learns nothing of those who can't be one, ten phones a day, and only with something to send", async () => {
  const [one, friend, frozen] = [await customers.joined("林小满"), await customers.joined("陈小雨"), await customers.joined("王五")];
  await as("mch01", freezeMember, { id: frozen.id, frozen: true, reason: "顾客来电" });
  const look = (phone: string) => one.phone.post("transfer/receiver", { phone });
  expect((await look(friend.number)).status).toBe(409);
  await customers.recharge(one.phone);
  const answers = [];
  for (const phone of [customers.newPhone(), frozen.number, one.number]) answers.push(await look(phone));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body["fields"]))).size).toBe(1);
  for (let looked = 3; looked < 9; looked++) await look(customers.newPhone());
  for (let again = 0; again < 3; again++) expect(await look(friend.number)).toMatchObject({ status: 200, body: { name: "陈**" } });
  expect(await look(customers.newPhone())).toMatchObject({ status: 429 });
  expect((await look(friend.number)).status).toBe(200);
  world.services.clock.advance(86_400_000);
  expect((await look(customers.newPhone())).status).toBe(400);
});
