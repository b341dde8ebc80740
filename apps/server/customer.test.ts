import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { confirmCardRefund, decideCardRefund, proveCardRefund, transferBalance } from "@zhangfang/domains/stored-value/contract/index.ts";
import { addCard, getCard, listCards, moveCard, openCard, setCardForm } from "@zhangfang/domains/member-cards/contract/index.ts";
import {
  addMember,
  freezeMember,
  identifyMember,
  resetMemberPin,
  revealMember,
  setMemberIdCard,
} from "@zhangfang/domains/members/contract/index.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { domains } from "./domains.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

let customers: CustomerWorld;
let world: TillWorld;
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
});
// An address gets thirty codes an hour.
beforeEach(() => world.services.clock.advance(3_700_000));
afterAll(() => customers.close());
const phoneAt: CustomerWorld["phoneAt"] = (...given) => customers.phoneAt(...given);
const joined: CustomerWorld["joined"] = (...given) => customers.joined(...given);
const codeFor: CustomerWorld["codeFor"] = (...given) => customers.codeFor(...given);
const ownCode: CustomerWorld["ownCode"] = (...given) => customers.ownCode(...given);
const recharge: CustomerWorld["recharge"] = (...given) => customers.recharge(...given);
const pay: CustomerWorld["pay"] = (orderNo) => customers.pay(orderNo);
const newPhone = () => customers.newPhone();

test("anybody reads whose page it is; who has no cookie, or another merchant's, reads nothing else", async () => {
  const stranger = phoneAt();
  expect(await stranger.get("page")).toMatchObject({
    status: 200,
    body: { merchantName: "蜀味川菜", closed: null, consent: { version: 2 } },
  });
  expect((await stranger.get("home")).status).toBe(401);
  const { phone } = await joined();
  const elsewhere = phoneAt("mch02");
  for (const [name, value] of phone.jar) elsewhere.jar.set(name, value);
  expect((await elsewhere.get("home")).status).toBe(401);
  for (const value of phone.jar.values()) elsewhere.jar.set(`zf_member_${elsewhere.merchant.replaceAll("-", "")}`, value);
  expect((await elsewhere.get("home")).status).toBe(401);
});

test("joins with the code that was sent: wrong, over and used ones are refused at their field", async () => {
  const phone = phoneAt();
  const number = newPhone();
  const sms = await codeFor(phone, number);
  const wrong = sms === "111111" ? "222222" : "111111";
  const join = (more: object) => phone.post("join", { phone: number, sms, consent: 2, ...more });
  expect(await join({ sms: wrong })).toMatchObject({ status: 400, body: { fields: { sms: expect.stringContaining("验证码错误") } } });
  expect(await join({ consent: 7 })).toMatchObject({ status: 400, body: { fields: { consent: expect.any(String) } } });
  expect(await join({ birthday: "2020-01-01" })).toMatchObject({ status: 400, body: { fields: { guardian: expect.any(String) } } });
  expect((await phone.post("sms", { phone: number })).status).toBe(429);
  world.services.clock.advance(61_000);
  const fresh = await codeFor(phone, number);
  const made = await join({ sms: fresh, name: "王小明" });
  expect(made).toMatchObject({ status: 200, body: { joined: true } });
  expect(made.cookie).toMatch(/^zf_member_[0-9a-f]{32}=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  expect(await join({ sms: fresh })).toMatchObject({ status: 400 });
  world.services.clock.advance(61_000);
  const late = await codeFor(phone, number);
  world.services.clock.advance(5 * 60_000 + 1);
  expect(await join({ sms: late })).toMatchObject({ status: 400, body: { fields: { sms: expect.any(String) } } });
  expect(await phone.get("home")).toMatchObject({ body: { name: "王小明", phone: `${number.slice(0, 3)}****${number.slice(-4)}` } });
  const rows = await world.owner<{ way: string }>(
    "select c.way from member_consents c join members m on m.id = c.member_id where m.no = $1",
    [((await phone.get("home")).body as { memberNo: string }).memberNo],
  );
  expect(rows).toEqual([{ way: "page" }]);
});

test("the code is the till's: drawn anew each thirty seconds, good once, and says how long it is left", async () => {
  const { phone, no } = await joined();
  const first = (await phone.get("code")).body as { code: string; leftMs: number; qr: { cells: number } };
  expect(first.code).toMatch(new RegExp(`^99${no}\\d{8}$`));
  expect(first.leftMs).toBeGreaterThan(0);
  expect(first.leftMs).toBeLessThanOrEqual(30_000);
  expect(await world.askTill(world.tree.merchants.mch01.stores[0]!, routeOf(identifyMember), { code: first.code })).toMatchObject({
    memberNo: no,
    proof: "full",
  });
  world.services.clock.advance(30_000);
  expect(((await phone.get("code")).body as { code: string }).code).not.toBe(first.code);
});

test("a write from another site is refused, with the cookie in hand", async () => {
  const { phone } = await joined();
  for (const site of ["cross-site", "same-site"])
    expect(await phone.post("profile", { name: "别人" }, { "sec-fetch-site": site })).toMatchObject({ status: 403 });
  expect((await phone.post("profile", { name: "林满" }, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  expect(await phone.get("home")).toMatchObject({ body: { name: "林满" } });
});

test("a recharge is placed once however often it is asked, paid, and the balance is there, with its record", async () => {
  const { phone } = await joined();
  const offer = (await phone.get("recharge-offer")).body as { ruleId: string; tiers: object[] };
  expect(offer.tiers).toEqual([{ amountCents: 50_000, giftCents: 5_000, points: 20, coupons: "", why: null }]);
  const request = { requestId: randomUUID(), amountCents: 50_000, ruleId: offer.ruleId, coupons: "" };
  expect(await phone.post("recharge", { ...request, coupons: "满 80 减 20 的券 1 张" })).toMatchObject({
    status: 409,
    body: { message: "充值送的券有变化：现在不送券，请重新确认" },
  });
  const placed = (await phone.post("recharge", request)).body as { orderNo: string; status: number };
  expect(placed).toMatchObject({ status: 0, giftCents: 5_000, points: 20 });
  expect((await phone.post("recharge", request)).body).toMatchObject({ orderNo: placed.orderNo });
  expect((await phone.post("recharge", { ...request, amountCents: 1 })).status).toBe(409);
  expect((await phone.post("recharge", { ...request, requestId: randomUUID(), ruleId: randomUUID() })).status).toBe(409);
  await pay(placed.orderNo);
  expect((await phone.get(`recharges/${request.requestId}`)).body).toMatchObject({ status: 2, amountCents: 50_000 });
  expect((await phone.get("home")).body).toMatchObject({ principalCents: 50_000, giftCents: 5_000, points: 20 });
  expect((await phone.get("records?account=stored")).body).toMatchObject({
    items: [{ cause: "充值", moved: 50_000, after: 50_000, second: 5_000, secondAfter: 5_000 }],
    next: null,
  });
  const other = await joined("陈雨");
  expect((await other.phone.get(`recharges/${request.requestId}`)).status).toBe(404);
  expect((await other.phone.get("records?account=stored")).body).toEqual({ items: [], next: null });
  expect(await world.verify()).toEqual([]);
});

test("records are read a page after the other, none twice", async () => {
  const { phone, id } = await joined();
  for (let n = 0; n < 25; n++) await customers.givePoints({ id }, 10);
  type Page = { items: { id: string; after: number }[]; next: string };
  const first = (await phone.get("records?account=points")).body as Page;
  const second = (await phone.get(`records?account=points&before=${first.next}`)).body as Page;
  expect([first.items.length, second.items.length, second.next]).toEqual([20, 5, null]);
  expect([...first.items, ...second.items].map(({ after }) => after)).toEqual(Array.from({ length: 25 }, (_none, n) => 250 - n * 10));
});

test("a transfer is proved by a code, then by the PIN, masked before it is confirmed, once for a request", async () => {
  const [from, to] = [await joined("林小满"), await joined("陈小雨")];
  await recharge(from.phone);
  expect((await from.phone.post("transfer/receiver", { phone: to.number })).body).toMatchObject({ name: "陈**" });
  expect(await from.phone.post("transfer/receiver", { phone: newPhone() })).toMatchObject({
    status: 400,
    body: { fields: { phone: expect.any(String) } },
  });
  expect(await from.phone.post("transfer/receiver", { phone: from.number })).toMatchObject({ status: 400 });
  const given = { requestId: randomUUID(), phone: to.number, amountCents: 11_000 };
  expect(await from.phone.post("transfer", given)).toMatchObject({ status: 400, body: { fields: { sms: expect.any(String) } } });
  const sms = await ownCode(from.phone, from.number);
  const moved = await from.phone.post("transfer", { ...given, sms });
  expect(moved).toMatchObject({ status: 200, body: { principalCents: 10_000, giftCents: 1_000 } });
  const again = (await from.phone.post("transfer", { ...given, sms })).body;
  expect(again).toEqual(moved.body);
  // It is set aside until the other takes it, once.
  expect((await from.phone.get("home")).body).toMatchObject({ principalCents: 40_000, giftCents: 4_000, heldCents: 11_000 });
  expect((await to.phone.get("home")).body).toMatchObject({ principalCents: 0, incoming: 1 });
  const { id } = again as { id: string };
  for (const [phone, act] of [
    [from.phone, "accept"],
    [to.phone, "withdraw"],
    [(await joined("王五")).phone, "accept"],
  ] as const)
    expect((await phone.post("transfers/answer", { id, act })).status).toBe(404);
  expect((await to.phone.post("transfers/answer", { id, act: "accept" })).status).toBe(200);
  expect((await to.phone.post("transfers/answer", { id, act: "accept" })).status).toBe(409);
  expect((await to.phone.get("home")).body).toMatchObject({ principalCents: 10_000, giftCents: 1_000, incoming: 0 });
  expect((await from.phone.get("home")).body).toMatchObject({ principalCents: 40_000, giftCents: 4_000, heldCents: 0 });
  // Without a PIN nothing large, however it is proved.
  const more = { requestId: randomUUID(), phone: to.number, amountCents: 20_001 };
  expect(await from.phone.post("transfer", { ...more, sms: await ownCode(from.phone, from.number) })).toMatchObject({
    status: 400,
    body: { fields: { pin: expect.stringContaining("支付密码") } },
  });
  expect(await from.phone.post("pin", { sms: await ownCode(from.phone, from.number, "pin"), pin: "123456" })).toMatchObject({
    status: 400,
  });
  expect((await from.phone.post("pin", { sms: await ownCode(from.phone, from.number, "pin"), pin: "135790" })).status).toBe(200);
  expect(await from.phone.post("transfer", { ...more, pin: "000001" })).toMatchObject({
    status: 400,
    body: { fields: { pin: expect.stringContaining("4 次") } },
  });
  expect((await from.phone.post("transfer", { ...more, pin: "135790" })).status).toBe(200);
});

test("a transfer that nobody takes within a day comes back; it is refused and taken back, one waits at a time, and its lot is not paid back", async () => {
  const [from, to] = [await joined("林小满"), await joined("陈小雨")];
  await recharge(from.phone);
  const send = async (amountCents = 5_500) => {
    const sms = await ownCode(from.phone, from.number);
    return from.phone.post("transfer", { requestId: randomUUID(), phone: to.number, amountCents, sms });
  };
  const balance = async () => (await from.phone.get("home")).body;
  const whole = { principalCents: 50_000, giftCents: 5_000, heldCents: 0 };
  const first = (await send()).body as { id: string; expiresAt: string };
  expect(await send()).toMatchObject({ status: 409, body: { code: "transfer.waits" } });
  const [lot] = ((await from.phone.get("lots")).body as { items: { lotId: string }[] }).items;
  expect((await from.phone.get(`lots/${lot!.lotId}/refund`)).body).toMatchObject({ refusal: expect.stringContaining("转出") });
  expect((await to.phone.post("transfers/answer", { id: first.id, act: "refuse" })).status).toBe(200);
  expect(await balance()).toMatchObject(whole);
  const second = (await send()).body as { id: string };
  expect((await from.phone.post("transfers/answer", { id: second.id, act: "withdraw" })).status).toBe(200);
  expect(await balance()).toMatchObject(whole);
  const third = (await send()).body as { id: string };
  expect((await to.phone.get("transfers")).body).toMatchObject({
    items: [
      { id: third.id, sent: false, name: "林**", principalCents: 5_000, giftCents: 500, status: 0 },
      { id: second.id, status: 3 },
      { id: first.id, status: 2 },
    ],
  });
  world.services.clock.advance(86_400_000);
  expect((await to.phone.post("transfers/answer", { id: third.id, act: "accept" })).status).toBe(409);
  expect((await to.phone.get("transfers")).body).toMatchObject({ items: [{ status: 4 }, {}, {}] });
  await world.sweep("end-transfers");
  expect(await balance()).toMatchObject(whole);
  // Whoever is frozen meanwhile neither sends nor gets.
  const fourth = (await send()).body as { id: string };
  await from.phone.post("freeze");
  expect((await to.phone.post("transfers/answer", { id: fourth.id, act: "accept" })).status).toBe(409);
  for (const { verify } of domains)
    if (verify)
      expect([verify.name, await world.look<unknown>((tx) => verify.run(tx, world.services.clock.now_ms()))]).toEqual([verify.name, []]);
});

test("above the rule's line a recharge asks for an id number; it is checked, said once, and then the recharge goes on", async () => {
  const { phone, id } = await joined("林小满");
  const offer = (await phone.get("recharge-offer")).body as { ruleId: string; idCardAboveCents: number };
  expect(offer.idCardAboveCents).toBe(100_000);
  const more = () => phone.post("recharge", { requestId: randomUUID(), amountCents: 150_000, ruleId: offer.ruleId });
  expect(await more()).toMatchObject({ status: 400, body: { fields: { amountCents: expect.stringContaining("登记会员证件号") } } });
  for (const idCard of ["110105194912310021", "11010519491331002X", "1101051949123100", "11010520201231002X"])
    expect(await phone.post("id-card", { idCard })).toMatchObject({ status: 400, body: { fields: { idCard: expect.any(String) } } });
  expect((await phone.post("id-card", { idCard: "11010519491231002x" })).status).toBe(200);
  expect((await phone.post("id-card", { idCard: "11010519491231002X" })).status).toBe(409);
  expect((await phone.get("home")).body).toMatchObject({ hasIdCard: true });
  expect((await phone.get("recharge-offer")).body).toMatchObject({ idCardAboveCents: null });
  expect((await more()).status).toBe(200);
  const [row] = await world.owner<{ sealed: string }>("select id_card_sealed as sealed from members where id = $1", [id]);
  expect(row!.sealed).not.toContain("11010519491231002X");
  // A shop sees it with a reason alone, and corrects it.
  const ask = (endpoint: object, input: object) => world.ask("mch01", routeOf(endpoint), input);
  expect(await ask(revealMember, { id, reason: "核对证件" })).toMatchObject({ idCard: "11010519491231002X" });
  expect(await ask(setMemberIdCard, { id, idCard: "440308199901101512" })).toMatchObject({ ok: true });
  // Not of somebody else's birthday, and nobody under age.
  const young = await joined("小林");
  await world.owner("update members set birthday = '1990-01-01' where id = $1", [young.id]);
  expect(await young.phone.post("id-card", { idCard: "11010519491231002X" })).toMatchObject({ status: 400 });
});

test("退卡 shows the three legal sums, is asked for by the owner alone, and is taken back while nobody has decided", async () => {
  const { phone, number } = await joined();
  await recharge(phone);
  const [lot] = ((await phone.get("lots")).body as { items: { lotId: string }[] }).items;
  const path = `lots/${lot!.lotId}/refund`;
  expect((await phone.get(path)).body).toMatchObject({
    principalCents: 50_000,
    giftCents: 5_000,
    usedCents: 0,
    onlyOffline: null,
    sums: [
      { reason: 1, paysCents: 50_000, refusal: null },
      { reason: 2, paysCents: 50_000 },
      { reason: 3, paysCents: 50_000 },
    ],
  });
  const stranger = await joined("陈雨");
  const asked = { requestId: randomUUID(), lotId: lot!.lotId, reason: 1, paysCents: 50_000, note: "用不上了" };
  expect((await stranger.phone.get(path)).status).toBe(404);
  expect((await stranger.phone.post("card-refunds", asked)).status).toBe(404);
  const code = () => ownCode(phone, number, "refund");
  expect((await phone.post("card-refunds", { ...asked, paysCents: 1, sms: await code() })).status).toBe(409);
  const { id } = (await phone.post("card-refunds", { ...asked, sms: await code() })).body as { id: string };
  expect((await phone.get("home")).body).toMatchObject({ principalCents: 0, giftCents: 0, heldCents: 55_000 });
  expect((await stranger.phone.post("card-refunds/withdraw", { id })).status).toBe(404);
  expect((await phone.post("card-refunds/withdraw", { id })).status).toBe(200);
  expect((await phone.get("home")).body).toMatchObject({ principalCents: 50_000, giftCents: 5_000, heldCents: 0 });
});

test("退卡 of what another moved here is asked for on the own page: offline alone, once however often it is sent; then 注销 is open", async () => {
  const [from, to] = [await joined("林小满"), await joined("陈小雨")];
  await recharge(from.phone);
  const sent = await from.phone.post("transfer", {
    requestId: randomUUID(),
    phone: to.number,
    amountCents: 5_500,
    sms: await ownCode(from.phone, from.number),
  });
  const { id: moved } = sent.body as { id: string };
  expect((await to.phone.post("transfers/answer", { id: moved, act: "accept" })).status).toBe(200);
  const leaving = async () => to.phone.post("close", { giveUp: true, sms: await ownCode(to.phone, to.number, "close") });
  expect(await leaving()).toMatchObject({ status: 409, body: { message: expect.stringContaining("请先退卡") } });
  const lots = ((await to.phone.get("lots")).body as { items: { lotId: string }[] }).items;
  expect(lots).toMatchObject([{ origin: 1, principalCents: 5_000, giftCents: 500, principalLeftCents: 5_000, refund: null }]);
  const { lotId } = lots[0]!;
  expect((await to.phone.get(`lots/${lotId}/refund`)).body).toMatchObject({
    // The two points that go back with it are the other's.
    points: 0,
    onlyOffline: expect.stringContaining("只能线下退"),
    sums: [{ refusal: "是别人转来的余额" }, { paysCents: 5_000, refusal: null }, { paysCents: 5_000 }],
  });
  const asked = { requestId: randomUUID(), lotId, reason: 3, paysCents: 5_000, note: "不来了" };
  expect((await from.phone.post("card-refunds", asked)).status).toBe(404);
  const given = { ...asked, sms: await ownCode(to.phone, to.number, "refund") };
  const first = await to.phone.post("card-refunds", given);
  expect(first.status).toBe(200);
  expect((await to.phone.post("card-refunds", given)).body).toEqual(first.body);
  expect(await world.owner("select way, status from card_refunds where lot_id = $1", [lotId])).toEqual([{ way: 1, status: 0 }]);
  const { id } = first.body as { id: string };
  const act = (login: string, endpoint: object, input: object) => world.ask(login, routeOf(endpoint), input);
  await act("mch01", decideCardRefund, { id, approve: true });
  await act("mch01", proveCardRefund, { id, evidence: "工行 20261124-0001" });
  await act("sp01", confirmCardRefund, { id });
  expect((await to.phone.get("home")).body).toMatchObject({ principalCents: 0, giftCents: 0, heldCents: 0 });
  expect((await from.phone.get("home")).body).toMatchObject({ principalCents: 45_000, giftCents: 4_500 });
  expect((await leaving()).status).toBe(200);
});

test("注销 is refused with principal; without it waits seven days and can be taken back", async () => {
  const rich = await joined();
  await recharge(rich.phone);
  const leaving = async (one: typeof rich, more: object = {}) =>
    one.phone.post("close", { ...more, sms: await ownCode(one.phone, one.number, "close") });
  expect(await leaving(rich, { giveUp: true })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("请先退卡") },
  });
  const one = await joined("陈雨");
  const { phone } = one;
  expect(await leaving(one)).toMatchObject({ status: 200, body: { closeOn: expect.any(String) } });
  expect((await phone.get("home")).body).toMatchObject({ status: 3 });
  expect((await phone.get("code")).body).toMatchObject({ code: null, why: expect.stringContaining("注销") });
  expect((await phone.post("keep")).status).toBe(200);
  expect((await phone.get("home")).body).toMatchObject({ status: 1, closeOn: null });
});

test("a new phone ends every other session, and asks for the PIN where there is one", async () => {
  const { phone, number } = await joined();
  const second = phoneAt();
  world.services.clock.advance(61_000);
  expect((await second.post("join", { phone: number, sms: await codeFor(second, number), consent: 2 })).body).toMatchObject({
    joined: false,
  });
  expect((await second.get("home")).status).toBe(200);
  const fresh = newPhone();
  const taken = await joined("陈雨");
  world.services.clock.advance(61_000);
  const newCode = async (newPhone: string) => {
    world.services.clock.advance(61_000);
    expect((await phone.post("own-sms", { purpose: "phone", newPhone })).status).toBe(200);
    await world.runJobs();
    return customers.lastCode(newPhone);
  };
  const [sms, takenSms] = [await ownCode(phone, number, "phone"), await newCode(taken.number)];
  expect(await phone.post("phone", { sms, newPhone: taken.number, newSms: takenSms })).toMatchObject({
    status: 400,
    body: { fields: { newPhone: expect.stringContaining("已是本店会员") } },
  });
  const [again, newSms] = [await ownCode(phone, number, "phone"), await newCode(fresh)];
  expect((await phone.post("phone", { sms: again, newPhone: fresh, newSms })).status).toBe(200);
  expect((await phone.get("home")).body).toMatchObject({ phone: `${fresh.slice(0, 3)}****${fresh.slice(-4)}` });
  expect((await second.get("home")).status).toBe(401);
  // The number that went away is nobody's: whoever has it now is somebody new.
  world.services.clock.advance(61_000);
  const next = phoneAt();
  expect((await next.post("join", { phone: number, sms: await codeFor(next, number), consent: 2 })).body).toMatchObject({ joined: true });
});

test("a number that went to somebody else opens nothing of a member with a PIN", async () => {
  const { phone, number } = await joined();
  await phone.post("pin", { sms: await ownCode(phone, number, "pin"), pin: "135790" });
  const thief = phoneAt();
  world.services.clock.advance(61_000);
  const first = await thief.post("join", { phone: number, sms: await codeFor(thief, number), consent: 2 });
  expect(first).toMatchObject({ status: 200, body: { signedIn: false, proved: expect.any(String) }, cookie: undefined });
  const { proved } = first.body as { proved: string };
  expect(await thief.post("join", { phone: number, proved, pin: "999990", consent: 2 })).toMatchObject({
    status: 400,
    body: { fields: { pin: expect.any(String) } },
  });
  expect(await thief.post("join", { phone: newPhone(), proved, pin: "135790", consent: 2 })).toMatchObject({ status: 400 });
  expect((await thief.post("join", { phone: number, proved, pin: "135790", consent: 2 })).body).toMatchObject({ signedIn: true });
});

test("leaving, a freeze by the shop and a PIN that a store took away end a session; one's own freeze leaves it to look", async () => {
  const gone = await joined();
  await gone.phone.post("leave");
  expect((await gone.phone.get("home")).status).toBe(401);
  const frozen = await joined();
  await world.ask("mch01", routeOf(freezeMember), { id: frozen.id, frozen: true, reason: "顾客来电" });
  expect((await frozen.phone.get("home")).status).toBe(401);
  const reset = await joined();
  await world.ask("mch01", routeOf(resetMemberPin), { id: reset.id, reason: "顾客忘记" });
  expect((await reset.phone.get("home")).status).toBe(401);
  const self = await joined();
  expect((await self.phone.post("freeze")).status).toBe(200);
  expect((await self.phone.get("home")).body).toMatchObject({ status: 2 });
  expect((await self.phone.get("code")).body).toMatchObject({ code: null });
  expect((await self.phone.post("close", { sms: await ownCode(self.phone, self.number, "close") })).status).toBe(409);
  const over = await joined();
  world.services.clock.advance(30 * 86_400_000);
  expect((await over.phone.get("home")).status).toBe(401);
});

test("the copy of one's data holds what is kept of the member, and of nobody else", async () => {
  const { phone, number, no } = await joined("林小满");
  const other = await joined("陈小雨");
  world.services.clock.advance(61_000);
  // Who signs in says what was never asked.
  const sms = await codeFor(phone, number);
  expect(await phone.post("join", { phone: number, sms, consent: 2, sex: 2, email: "lin@example.com" })).toMatchObject({ status: 200 });
  const answer = await phone.post("data", { sms: await ownCode(phone, number, "data") });
  expect(answer.body).toMatchObject({
    资料: { 会员号: no, 姓名: "林小满", 手机号: number, 性别: "女", 邮箱: "lin@example.com" },
    同意过的说明: [{ 内容: "会员服务说明", 版本: 2 }],
    订单: [],
    次卡: [],
    优惠券: [],
  });
  expect(JSON.stringify(answer.body)).not.toContain(other.number);
});

test("two at a till: the sender's PIN is asked for above the line, and what is moved is there", async () => {
  const [from, to] = [await joined("林小满"), await joined("陈小雨")];
  await recharge(from.phone);
  expect((await from.phone.post("pin", { sms: await ownCode(from.phone, from.number, "pin"), pin: "135790" })).status).toBe(200);
  const till = (endpoint: object, body: object) =>
    world.askTill(world.tree.merchants.mch01.stores[0]!, routeOf(endpoint), body) as Promise<{ ticket: string }>;
  const shown = async ({ phone }: typeof from) =>
    (await till(identifyMember, { code: ((await phone.get("code")).body as { code: string }).code })).ticket;
  const given = { requestId: randomUUID(), ticket: await shown(from), toTicket: await shown(to), amountCents: 20_001 };
  await expect(till(transferBalance, given)).rejects.toMatchObject({ fields: { pin: expect.any(String) } });
  await expect(till(transferBalance, { ...given, pin: "000001" })).rejects.toMatchObject({
    fields: { pin: expect.stringContaining("4 次") },
  });
  expect(await till(transferBalance, { ...given, pin: "135790" })).toMatchObject({ principalCents: 18_183, giftCents: 1_818 });
  expect((await to.phone.get("home")).body).toMatchObject({ principalCents: 18_183, giftCents: 1_818 });
});

test("a card's form is asked of who joins: what must be there is refused at its field, kept sealed, and shown with a reason", async () => {
  const own = (endpoint: object, input: object) => world.ask("mch02", routeOf(endpoint), input) as Promise<Record<string, never>>;
  const { id } = await own(addCard, { name: "填表卡", tone: "COLOR020", activation: "form" });
  const { form, revision } = (await own(getCard, { id })) as unknown as { form: object; revision: number };
  await own(setCardForm, { id, revision, form: { ...form, name: 2, birthday: 2, idcard: 1, email: 2, sex: 1, education: 1 } });
  for (const from of [0, 1]) await own(moveCard, { id, from, to: from + 1 });
  const phone = phoneAt("mch02");
  expect((await phone.get("page")).body).toMatchObject({ card: { name: "填表卡" }, asks: { name: 2, email: 2, sex: 1, income: 0 } });

  const number = newPhone();
  const sms = await codeFor(phone, number);
  const join = (more: object) => phone.post("join", { phone: number, consent: 2, ...more });
  // Faults that need no code to be seen spend none.
  expect(await join({ sms, email: "谁" })).toMatchObject({ status: 400, body: { fields: { email: expect.stringContaining("邮箱") } } });
  expect(await join({ sms, birthday: "1990-01-02", idcard: "11010519491231002X" })).toMatchObject({
    status: 400,
    body: { fields: { idcard: expect.stringContaining("生日") } },
  });
  const lacks = await join({ sms, name: "高远", sex: 1 });
  expect(lacks).toMatchObject({ status: 200, body: { signedIn: false, lacks: { birthday: "请选择生日", email: "请填写邮箱" } } });
  expect(Object.keys(lacks.body["lacks"] as object)).toHaveLength(2);
  const members = () => world.owner("select 1 from members where merchant_id = $1", [phone.merchant]);
  expect(await members()).toHaveLength(0);
  const { proved } = lacks.body;
  expect(await join({ proved, name: "高远" })).toMatchObject({ status: 200, body: { signedIn: false } });
  const filled = {
    name: "高远",
    birthday: "1949-12-31",
    idcard: "11010519491231002x",
    email: "gao@example.com",
    sex: 1,
    education: "本科",
  };
  expect(await join({ proved, ...filled })).toMatchObject({ status: 200, body: { signedIn: true, joined: true } });
  const home = (await phone.get("home")).body as Record<string, never>;
  expect(home).toMatchObject({ name: "高远", birthday: "1949-12-31", hasIdCard: true, card: { name: "填表卡" } });
  const [row] = await world.owner<{ id: string; form_sealed: string }>("select id, form_sealed from members where merchant_id = $1", [
    phone.merchant,
  ]);
  expect(row!.form_sealed).not.toContain("gao@");
  expect(await own(revealMember, { id: row!.id, reason: "核对资料" })).toMatchObject({
    idCard: "11010519491231002X",
    form: [
      { label: "邮箱", text: "gao@example.com" },
      { label: "教育背景", text: "本科" },
    ],
  });
});

test("who joined without the form signs in all the same, and the card that wants it comes once it is filled", async () => {
  const own = (endpoint: object, input: object) => world.ask("mch02", routeOf(endpoint), input) as Promise<Record<string, never>>;
  const [store] = world.tree.merchants.mch02.stores;
  const number = newPhone();
  await own(addMember, { storeId: store!.id, phone: number, consent: true });
  const held = () =>
    world.owner("select 1 from card_holders h join members m on m.id = h.member_id where m.name_hash is not null and h.merchant_id = $1", [
      phoneAt("mch02").merchant,
    ]);
  const before = (await held()).length;
  const phone = phoneAt("mch02");
  const signIn = async (more: object = {}) => {
    world.services.clock.advance(61_000);
    return phone.post("join", { phone: number, sms: await codeFor(phone, number), consent: 2, ...more });
  };
  expect(await signIn()).toMatchObject({ status: 200, body: { signedIn: true, joined: false } });
  const home = (await phone.get("home")).body as { card: null; memberNo: string };
  expect(home.card).toBeNull();
  const { items } = (await own(listCards, {})) as unknown as { items: { id: string }[] };
  await expect(own(openCard, { cardId: items[0]!.id, memberNo: home.memberNo, storeId: store!.id })).rejects.toThrow(
    "会员还没填姓名、生日、邮箱",
  );
  expect(await signIn({ name: "何静", birthday: "1992-03-04", email: "he@example.com" })).toMatchObject({ status: 200 });
  expect((await phone.get("home")).body).toMatchObject({ name: "何静", card: { name: "填表卡" } });
  expect(await held()).toHaveLength(before + 1);
  // What stands there stays.
  expect(await signIn({ name: "别人" })).toMatchObject({ status: 200 });
  expect((await phone.get("home")).body).toMatchObject({ name: "何静" });
});
