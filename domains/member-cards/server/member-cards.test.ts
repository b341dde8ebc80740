import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { addCampaign, decideCampaign, steerCampaign } from "../../coupons/contract/index.ts";
import { coupons, verifyCoupons } from "../../coupons/server/index.ts";
import { joinMember, addMember, sendMemberCode } from "../../members/contract/index.ts";
import { giveSms, members } from "../../members/server/index.ts";
import { addPoints, verifyValue } from "../../value-book/server/index.ts";
import {
  addActivity,
  addBinding,
  addCard,
  cardRight,
  type CardRight,
  createWxCard,
  deleteWxCard,
  FORM_DEFAULT,
  getActivity,
  getCard,
  getCardPlaces,
  getWxCard,
  listCardAreas,
  listCards,
  listGrants,
  listHolders,
  listWxCards,
  moveActivity,
  moveCard,
  openCard,
  removeBinding,
  setCardFace,
  setCardForm,
  updateActivity,
  setCardPlaces,
  setGrant,
  syncWxCard,
  type CardStatus,
} from "../contract/index.ts";
import { endCards } from "./cards/end-cards.ts";
import { cardServesAt, giveCard, memberCards, verifyCards } from "./index.ts";
import type { WxCards, WxHolder } from "./wx/wx-api.ts";
import { giveWxCards } from "./wx/wx-door.ts";

let world: TillWorld;
const START = "2026-11-20T04:00:00.000Z";
const FACE = { name: "蜀味卡", tone: "COLOR020" as const };
let sms = "";
/** WeChat as a test makes it: alive or dead, and what it knows. */
const wechat = {
  alive: true,
  cards: new Map<string, { mark: string; name: string }>(),
  holders: new Map<string, WxHolder>(),
  puts: 0,
  loses: false,
  /** What each card asks, as WeChat was told, and how it takes the telling. */
  forms: new Map<string, Readonly<Record<string, number>>>(),
  asks: "well" as "well" | "loses" | "refuses",
};
const dead = () => {
  if (!wechat.alive) throw new Error("no answer");
};
const fake: WxCards = {
  async create({ mark, name }) {
    dead();
    const wxCardId = `p${wechat.cards.size + 1}`;
    wechat.cards.set(wxCardId, { mark, name });
    if (wechat.loses) throw new Error("the answer got lost");
    return { state: "done", wxCardId, review: 1 };
  },
  async find(mark) {
    dead();
    return [...wechat.cards].find(([, card]) => card.mark === mark)?.[0];
  },
  async update(wxCardId, { name }) {
    dead();
    wechat.cards.set(wxCardId, { ...wechat.cards.get(wxCardId)!, name });
    return { state: "done", review: 2 };
  },
  async ask(wxCardId, { form }) {
    dead();
    if (wechat.asks === "loses") throw new Error("the call got lost");
    if (wechat.asks === "refuses") return { state: "refused", why: "微信 40073：表单不能这样" };
    wechat.forms.set(wxCardId, form);
    return { state: "done" };
  },
  async review() {
    dead();
    return 2;
  },
  async remove(wxCardId) {
    dead();
    wechat.cards.delete(wxCardId);
    return { state: "done" };
  },
  async put(holder) {
    dead();
    wechat.puts++;
    wechat.holders.set(holder.code, holder);
    return { state: "done" };
  },
};
const routeOf = (endpoint: Endpoint) => [...memberCards.routes, ...members.routes].find((one) => one.endpoint === endpoint)!;
const person = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(login, routeOf(endpoint), input as object) as never;
const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
const place = (n = 0) => ({
  service_provider_id: world.tree.merchants.mch01.serviceProviderId,
  merchant_id: world.tree.merchants.mch01.id,
  store_id: store(n).id,
});
const holder = (member_id: string) => {
  const { service_provider_id, merchant_id } = place();
  return { service_provider_id, merchant_id, member_id };
};
let phones = 10_000;
const phone = () => `138000${++phones}`;

beforeAll(async () => {
  world = await openTillWorld({ above: [members, coupons, memberCards] });
  giveWxCards(world.services, () => fake);
  giveSms(world.services, {
    send: async (given) => {
      sms = given.params["code"] ?? "";
      return { state: "sent" };
    },
    ask: async () => ({ state: "none" }),
  });
});
afterEach(async () => {
  expect(await world.look(verifyCards)).toEqual([]);
  expect(await world.look(verifyValue)).toEqual([]);
  world.services.clock.set(START);
  wechat.alive = true;
  wechat.loses = false;
  wechat.asks = "well";
});
afterAll(() => world.close());

const md5 = (text: string): Buffer => createHash("md5").update(text).digest();
let names = 0;
const make = async (status: CardStatus = 2, more: Partial<InputOf<typeof addCard>> = {}, login = "mch01"): Promise<string> => {
  // No two at the same moment.
  world.services.clock.advance(1_000);
  const { id } = await person(login, addCard, { ...FACE, name: `卡${++names}`, ...more });
  const way: readonly (readonly [CardStatus, CardStatus])[] = [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ];
  for (const [from, to] of way.slice(0, status)) await person(login, moveCard, { id, from, to });
  return id;
};
/** No other card is given to who joins. */
const shut = () => world.owner("update member_cards set status = 3 where status in (2, 4)");
/** A whole member, without a card, whatever is open. */
const member = async (): Promise<{ id: string; no: string }> => {
  const id = randomUUID();
  const no = world.services.ids.digits(10);
  const { service_provider_id, merchant_id, store_id } = place();
  await world.owner(
    "insert into members (service_provider_id, id, merchant_id, no, stage, source, created_at) values ($1, $2, $3, $4, 1, 2, now())",
    [service_provider_id, id, merchant_id, no],
  );
  await world.owner("insert into member_totals (service_provider_id, member_id, merchant_id) values ($1, $2, $3)", [
    service_provider_id,
    id,
    merchant_id,
  ]);
  await world.owner(
    "insert into member_stores (service_provider_id, member_id, store_id, merchant_id, home, first_at) values ($1, $2, $3, $4, true, now())",
    [service_provider_id, id, store_id, merchant_id],
  );
  return { id, no };
};
const open = (cardId: string, memberNo: string, n = 0) => person("mch01", openCard, { cardId, memberNo, storeId: store(n).id });
const balance = async (id: string) =>
  Object.fromEntries(
    (
      await world.owner<{ kind: string; n: number }>(
        "select kind, balance::int as n from value_accounts where owner_id = $1 and balance <> 0",
        [id],
      )
    ).map(({ kind, n }) => [kind, n]),
  );
const activity = async (cardId: string, more: Partial<InputOf<typeof addActivity>> = {}): Promise<string> => {
  const facts = {
    cardId,
    name: `活动${++names}`,
    points: 100,
    giftCents: 500,
    firstDay: "2026-11-01",
    lastDay: "2026-12-31",
    mostCount: 10,
    budgetCents: 5_000,
  };
  const { id } = await person("mch01", addActivity, { ...facts, ...more });
  await person("mch01", moveActivity, { id, from: 0, to: 1 });
  return id;
};

const askCoupons = (endpoint: Endpoint, input: object) =>
  world.ask(
    "mch01",
    coupons.routes.find((one) => one.endpoint === endpoint)!,
    input,
  ) as Promise<{ id: string }>;
/** A campaign of five coupons that waits to be approved. */
async function draft(): Promise<string> {
  const now_ms = world.services.clock.now_ms();
  const { id } = await askCoupons(addCampaign, {
    requestId: randomUUID(),
    name: `开卡券${++names}`,
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 30, unit: "day" } },
    total: 5,
    perPerson: 2,
    beginsAt: new Date(now_ms - 1_000).toISOString(),
    endsAt: new Date(now_ms + 90 * 86_400_000).toISOString(),
  });
  return id;
}
async function approve(id: string): Promise<void> {
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
  await askCoupons(decideCampaign, { id, version: 1, approve: true });
}
const stockOf = async (campaign: string) =>
  (await world.owner("select issued::int as issued, held::int as held from coupon_stock where campaign_id = $1", [campaign]))[0];
const migration = (name: string) => world.owner(readFileSync(join(import.meta.dirname, `../../../db/migrations/${name}.sql`), "utf8"));

describe("a card", () => {
  test("begins with the form as it usually is, and goes only where a state leads", async () => {
    const { id } = await person("mch01", addCard, { ...FACE, notice: "结账前出示", rights: "生日双倍积分", phone: "028-86668888" });
    expect(await person("mch01", getCard, { id })).toMatchObject({
      status: 0,
      form: FORM_DEFAULT,
      placeNames: "全部门店",
      may: cardRight.values,
    });
    await expect(person("mch01", addCard, FACE)).rejects.toMatchObject({ fields: { name: "已有名为「蜀味卡」的会员卡" } });
    await expect(person("mch01", moveCard, { id, from: 0, to: 2 })).rejects.toThrow("初始的卡不能改为已启用");
    await expect(person("mch01", moveCard, { id, from: 1, to: 2 })).rejects.toThrow("会员卡已是「初始」");
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 3],
    ] as const)
      await person("mch01", moveCard, { id, from, to });
    await expect(person("mch01", moveCard, { id, from: 3, to: 2 })).rejects.toThrow("已暂停的卡不能改为已启用");
    await expect(person("mch01", moveCard, { id, from: 3, to: 5 })).rejects.toThrow("不能改为已过期");
    await expect(world.owner("update member_cards set status = 0 where id = $1", [id])).rejects.toThrow(/state|edge|member_card/);
    await expect(person("mch02", getCard, { id })).rejects.toThrow("会员卡");
  });

  test("is changed as it was seen; a phone is always asked for", async () => {
    const id = await make(1);
    const { revision, name } = await person("mch01", getCard, { id });
    await person("mch01", setCardForm, { id, revision, form: { ...FORM_DEFAULT, sex: 2, education: 1 } });
    expect((await person("mch01", getCard, { id })).form).toMatchObject({ sex: 2, education: 1, mobile: 2 });
    await expect(person("mch01", setCardFace, { id, revision, name, tone: "COLOR100" })).rejects.toThrow("已被别人修改");
    await expect(person("mch01", setCardForm, { id, revision: revision + 1, form: { ...FORM_DEFAULT, mobile: 0 } })).rejects.toMatchObject({
      fields: { "form.mobile": "会员由手机号认，手机号须必填" },
    });
  });

  test("ends by time, and what is on it stays the member's", async () => {
    const id = await make(2, { endsOn: "2026-11-25" });
    const gift = await activity(id);
    const { id: who, no } = await member();
    await open(id, no);
    expect(await balance(who)).toMatchObject({ points: 100, gift: 500 });
    world.services.clock.set("2026-11-25T15:59:00Z");
    await endCards.run(world.services, {});
    expect((await person("mch01", getCard, { id })).status).toBe(2);
    world.services.clock.set("2026-11-25T16:00:00Z");
    expect(await world.look((tx) => cardServesAt(tx, { ...place(), at: "2026-11-25T16:00:00Z" }, who))).toBe(false);
    await expect(open(id, (await member()).no)).rejects.toThrow("会员卡已暂停或过期");
    await endCards.run(world.services, {});
    expect((await person("mch01", getCard, { id })).status).toBe(5);
    expect(await balance(who)).toMatchObject({ points: 100, gift: 500 });
    await expect(person("mch01", setCardFace, { id, revision: 99, ...FACE, name: "另一张" })).rejects.toThrow("已过期");
    expect((await person("mch01", getActivity, { id: gift })).status).toBe(3);
  });
});

describe("holding", () => {
  test("there is one for a member and a card, and none by a card that is not open", async () => {
    const id = await make();
    const { no } = await member();
    const first = await open(id, no);
    expect(await open(id, no, 1)).toEqual({ ...first, made: false, gift: "" });
    await person("mch01", moveCard, { id, from: 2, to: 3 });
    await expect(open(id, (await member()).no)).rejects.toThrow("会员卡已暂停或过期");
    expect(await person("mch01", listHolders, { cardId: id })).toMatchObject({ items: [{ memberNo: no, way: "office" }] });
    expect((await person("mch01", getCard, { id })).holders).toBe(1);
    const draft = await make(1);
    await expect(open(draft, no)).rejects.toThrow("会员卡已暂停或过期");
    await expect(open(id, "0000000000")).rejects.toMatchObject({ fields: { memberNo: "没有这个会员号" } });
  });

  test("of two who open at once one does", async () => {
    const id = await make();
    const gift = await activity(id);
    const { id: who, no } = await member();
    const opened = await Promise.all([open(id, no), open(id, no, 1), open(id, no)]);
    expect(opened.filter(({ made }) => made)).toHaveLength(1);
    expect(new Set(opened.map(({ code }) => code)).size).toBe(1);
    expect(await balance(who)).toMatchObject({ points: 100, gift: 500 });
    expect(await person("mch01", getActivity, { id: gift })).toMatchObject({ givenCount: 1, byStore: [{ count: 1 }] });
  });

  test("who joins gets the card of the place: its device's, its store's, else the oldest that is open; who is unconfirmed gets none", async () => {
    await shut();
    const [usual, stores, devices] = [await make(), await make(), await make()];
    const gift = await activity(usual, { giftCents: 0, budgetCents: null });
    await person("mch01", addBinding, { cardId: stores, kind: "store", storeId: store(1).id });
    const device = store(2).devices[0]!;
    await person("mch01", addBinding, { cardId: devices, kind: "device", deviceId: device.id });
    await expect(person("mch01", addBinding, { cardId: usual, kind: "store", storeId: store(1).id })).rejects.toMatchObject({
      fields: { storeId: "已绑定会员卡，请先解绑" },
    });
    const cardsOf = async (given: string) =>
      (
        await world.owner<{ card: string }>(
          "select h.card_id as card from card_holders h join members m on m.id = h.member_id join member_identities i on i.member_id = m.id where h.member_id = $1",
          [given],
        )
      ).map(({ card }) => card);
    const office = await person("mch01", addMember, { storeId: store().id, phone: phone(), consent: true });
    expect(await cardsOf(office.id)).toEqual([usual]);
    const there = await person("mch01", addMember, { storeId: store(1).id, phone: phone(), consent: true });
    expect(await cardsOf(there.id)).toEqual([stores]);
    const at = await member();
    const held = await world.look((tx) =>
      giveCard(tx, world.services, { ...place(2), member_id: at.id, way: "till", by_name: "收银端", device_id: device.id }),
    );
    expect(held).toMatchObject({ card_id: devices, made: true });

    const given = phone();
    const weak = (await world.askTill(store(), routeOf(joinMember), { phone: given })) as OutputOf<typeof joinMember>;
    expect(await world.owner("select 1 from card_holders h join members m on m.id = h.member_id where m.no = $1", [weak.memberNo])).toEqual(
      [],
    );
    await world.askTill(store(), routeOf(sendMemberCode), { phone: given });
    await world.runJobs();
    const whole = (await world.askTill(store(), routeOf(joinMember), { phone: given, sms })) as OutputOf<typeof joinMember>;
    expect(whole).toMatchObject({ memberNo: weak.memberNo, stage: 1, points: 100 });
    await person("mch01", moveActivity, { id: gift, from: 1, to: 3 });
    const [binding] = await world.owner<{ id: string }>("select id from card_bindings where kind = 'store'");
    await person("mch01", removeBinding, { id: binding!.id });
    await person("mch01", addBinding, { cardId: usual, kind: "store", storeId: store(1).id });
  });
});

describe("an activity", () => {
  test("never gives more than its budget, whoever comes at once", async () => {
    const id = await make();
    const gift = await activity(id, { mostCount: 50, budgetCents: 1_500 });
    const people = await Promise.all(Array.from({ length: 8 }, member));
    const opened = await Promise.all(people.map(({ no }, n) => open(id, no, n % 2)));
    expect(opened.every(({ made }) => made)).toBe(true);
    expect(opened.filter((one) => one.gift !== "")).toHaveLength(3);
    expect(await person("mch01", getActivity, { id: gift })).toMatchObject({ givenCount: 3, givenCents: 1_500, givenPoints: 300 });
  });

  test("gives once to a human, whatever member they come as, and once to a phone and an account, and says whom it gave nothing", async () => {
    const card_id = await make();
    const id = await activity(card_id, { mostCount: 2, giftCents: 0, budgetCents: null });
    const known = (member_id: string, kind: string, subject: string) =>
      world.owner(
        `insert into member_identities (service_provider_id, merchant_id, member_id, kind, subject_hash, created_at)
          values ($1, $2, $3, $4, decode(md5($5), 'hex'), now())`,
        [...Object.values(holder(member_id)), kind, subject],
      );
    const opens = async (identities: readonly (readonly [string, string])[], device?: string): Promise<string> => {
      const { id: member_id } = await member();
      for (const [kind, subject] of identities) await known(member_id, kind, subject);
      const given = { ...place(), member_id, way: "page" as const, by_name: "本人", card_id, from: { device } };
      const held = await world.look((tx) => giveCard(tx, world.services, given));
      return held!.points > 0 ? "given" : "nothing";
    };
    const leaves = () => world.owner("delete from member_identities where subject_hash = any($1)", [["phone", "openid"].map(md5)]);
    expect(
      await opens(
        [
          ["phone", "phone"],
          ["openid", "openid"],
        ],
        "device",
      ),
    ).toBe("given");
    await leaves();
    expect(await opens([["phone", "phone"]])).toBe("nothing");
    expect(await opens([["openid", "openid"]])).toBe("nothing");
    await leaves();
    expect(await opens([["phone", "another"]], "device")).toBe("nothing");
    expect(await opens([["phone", "a friend"]], "the friend's")).toBe("given");
    expect(await opens([["phone", "late"]])).toBe("nothing");
    const results = await person("mch01", getActivity, { id });
    expect(results).toMatchObject({ givenCount: 2, costCents: 0, couponsGiven: 0, orders: 0 });
    expect(results.refused.map(({ why, count }) => [why, count])).toEqual(
      expect.arrayContaining([
        ["phone", 1],
        ["openid", 1],
        ["device", 1],
        ["gone", 1],
      ]),
    );
    // An account and a phone in the hand are forgotten, a human is not.
    await leaves();
    await world.owner("update card_activities set most_count = 9 where id = $1", [id]);
    world.services.clock.advance(181 * 86_400_000);
    await endCards.run(world.services, {});
    expect(await world.owner("select distinct kind from card_marks where activity_id = $1", [id])).toEqual([{ kind: "phone" }]);
  });
  test("never gives to more people than it says, outside its days, or while it stands still", async () => {
    const id = await make();
    const one = await activity(id, { mostCount: 1, giftCents: 0, budgetCents: null });
    const later = await activity(id, { firstDay: "2026-12-01", giftCents: 0, budgetCents: null });
    const still = await activity(id, { giftCents: 0, budgetCents: null });
    await person("mch01", moveActivity, { id: still, from: 1, to: 2 });
    const [a, b] = [await member(), await member()];
    expect((await open(id, a.no)).gift).toBe("100 积分");
    expect((await open(id, b.no)).gift).toBe("");
    expect((await person("mch01", getActivity, { id: later })).givenCount).toBe(0);
    expect((await person("mch01", getActivity, { id: still })).givenCount).toBe(0);
    await expect(person("mch01", moveActivity, { id: one, from: 2, to: 1 })).rejects.toThrow("活动已是「进行中」");
    await expect(
      person("mch01", addActivity, {
        cardId: id,
        name: "没预算",
        giftCents: 500,
        firstDay: "2026-11-20",
        lastDay: "2026-11-30",
        mostCount: 5,
      }),
    ).rejects.toMatchObject({ fields: { budgetCents: "送余额须有总预算" } });
  });
});

describe("授权", () => {
  const give = (login: string, id: string, seen: CardRight[], rights: CardRight[]) => person(login, setGrant, { id, seen, rights });

  test("is never more than the giver has, and what the giver loses those below lose", async () => {
    const id = await make();
    const all = [...cardRight.values];
    const { revision } = await person("mch01", getCard, { id });
    await expect(person("area01", setCardFace, { id, revision, ...FACE, name: "区域改" })).rejects.toThrow("商户没有授权修改这张卡的卡面");
    await give("mch01", id, [], ["face", "pause"]);
    await person("area01", setCardFace, { id, revision, ...FACE, name: "区域改" });
    await give("sp01", id, all, ["form", "pause"]);
    // The merchant has no faces any more: nor have its stores, whatever it gave them.
    expect((await person("mch01", getCard, { id })).may).toEqual(["form", "pause"]);
    expect((await person("area01", getCard, { id })).may).toEqual(["pause"]);
    await expect(person("area01", setCardFace, { id, revision: revision + 1, ...FACE, name: "又改" })).rejects.toThrow("没有授权");
    await expect(person("mch01", setCardFace, { id, revision: revision + 1, ...FACE, name: "又改" })).rejects.toThrow(
      "服务商没有授权修改这张卡的卡面",
    );
    await expect(give("mch01", id, ["pause"], ["face", "form"])).rejects.toMatchObject({ fields: { rights: "您没有「卡面」" } });
    await give("mch01", id, ["pause"], ["form"]);
    await expect(give("mch01", id, ["pause"], ["pause"])).rejects.toThrow("授权已被别人修改");
    expect((await person("mch01", listGrants, { pageSize: 100 })).items.find((one) => one.id === id)).toMatchObject({
      has: ["form", "pause"],
      gives: ["form"],
    });
    expect((await person("sp01", listGrants, { pageSize: 100 })).items.find((one) => one.id === id)).toMatchObject({
      has: all,
      gives: ["form", "pause"],
    });
    await expect(person("area01", moveCard, { id, from: 2, to: 3 })).rejects.toThrow("没有授权");
    await give("mch01", id, ["form"], ["pause"]);
    await person("area01", moveCard, { id, from: 2, to: 3 });
    const draft = await make(1);
    await give("mch01", draft, [], ["pause"]);
    await expect(person("area01", moveCard, { id: draft, from: 1, to: 2 })).rejects.toThrow("只有商户能创建和启用会员卡");
    await expect(give("sp02", id, all, [])).rejects.toThrow("会员卡");
  });

  test("gifts need leave of the provider, and stores take in and out their own alone", async () => {
    const id = await make();
    await give("sp01", id, [...cardRight.values], ["face", "stores"]);
    await expect(activity(id)).rejects.toThrow("服务商没有授权修改这张卡的开卡礼");
    const seen = await person("area01", getCardPlaces, { id });
    const [own] = seen.stores;
    const other = world.tree.merchants.mch01.stores.find((one) => !seen.stores.some((two) => two.id === one.id))!;
    const { revision } = await person("mch01", getCard, { id });
    await person("mch01", setCardPlaces, { id, revision, everywhere: false, storeIds: [other.id] });
    await person("mch01", setGrant, { id, seen: [], rights: ["stores"] });
    await expect(person("area01", setCardPlaces, { id, revision: revision + 1, everywhere: true })).rejects.toThrow(
      "只有商户能设为全部门店",
    );
    await expect(person("area01", setCardPlaces, { id, revision: revision + 1, everywhere: false, storeIds: [other.id] })).rejects.toThrow(
      "门店",
    );
    await person("area01", setCardPlaces, { id, revision: revision + 1, everywhere: false, storeIds: [own!.id] });
    expect((await person("mch01", getCardPlaces, { id })).storeIds.toSorted()).toEqual([own!.id, other.id].toSorted());
    expect((await person("area01", listCardAreas, { pageSize: 100 })).items.find((one) => one.id === id)).toMatchObject({
      stores: 2,
      may: ["stores"],
    });
  });
});

describe("an area card", () => {
  test("is worth a level where it serves alone; any card held that serves does; without a card nothing is bound", async () => {
    const { id: who, no } = await member();
    const serves = (n: number) => world.look((tx) => cardServesAt(tx, { ...place(n), at: START }, who));
    expect(await serves(0)).toBe(true);
    const narrow = await make();
    const { revision } = await person("mch01", getCard, { id: narrow });
    const [area] = (await person("mch01", getCardPlaces, { id: narrow })).areas;
    await expect(person("mch01", setCardPlaces, { id: narrow, revision, everywhere: false })).rejects.toMatchObject({
      fields: { storeIds: "请选择区域或门店" },
    });
    await person("mch01", setCardPlaces, { id: narrow, revision, everywhere: false, areaIds: [area!.id] });
    const inside = (await world.owner<{ id: string }>("select store_id as id from area_stores where area_id = $1", [area!.id])).map(
      ({ id }) => id,
    );
    const at = world.tree.merchants.mch01.stores.findIndex(({ id }) => inside.includes(id));
    const outside = world.tree.merchants.mch01.stores.findIndex(({ id }) => !inside.includes(id));
    await expect(open(narrow, no, outside)).rejects.toMatchObject({ fields: { storeId: "这张卡不适用于该门店" } });
    await open(narrow, no, at);
    expect([await serves(at), await serves(outside)]).toEqual([true, false]);
    await person("mch01", moveCard, { id: narrow, from: 2, to: 3 });
    expect(await serves(at)).toBe(true);
    await open(await make(), no, outside);
    expect(await serves(outside)).toBe(true);
  });
});

describe("WeChat", () => {
  const wx = async (id: string) => (await person("mch01", listWxCards, { pageSize: 100 })).items.find((one) => one.id === id)!;
  const rounds = async () => {
    world.services.clock.advance(60_000);
    await world.sweep("tell-wx-holders", "send-wx-cards", "ask-wx-reviews", "send-wx-holders");
  };

  test("is told of a card, its review and its holders; the last state wins", async () => {
    const id = await make();
    const { id: who, no } = await member();
    const { code } = await open(id, no);
    expect(await wx(id)).toMatchObject({ state: 0, sync: null });
    await person("mch01", createWxCard, { id, api: "open" });
    await expect(person("mch01", createWxCard, { id, api: "open" })).rejects.toThrow("已在微信创建");
    await rounds();
    await rounds();
    expect(await wx(id)).toMatchObject({ state: 2, sync: 1, holders: 1, waiting: 0 });
    expect(wechat.holders.get(code)).toMatchObject({ to: 2, points: 0 });
    const before = wechat.puts;
    const now_ms = world.services.clock.now_ms();
    for (const points of [10, 20, 30])
      await world.look((tx) =>
        addPoints(tx, { ids: world.services.ids, now_ms }, holder(who), {
          cause: "points-opening",
          cause_id: randomUUID(),
          points,
          usable_from: "2026-11-20",
          expires_on: null,
        }),
      );
    await rounds();
    expect(wechat.holders.get(code)).toMatchObject({ from: 2, to: 2, points: 60 });
    expect(wechat.puts).toBe(before + 1);
    await rounds();
    expect(wechat.puts).toBe(before + 1);
    await world.owner(
      "insert into member_events (service_provider_id, id, merchant_id, member_id, kind, by_name, at) values ($1, $2, $3, $4, 'frozen', '店长', $5)",
      [place().service_provider_id, randomUUID(), place().merchant_id, who, new Date(world.services.clock.now_ms()).toISOString()],
    );
    await world.owner("update members set status = 2 where id = $1", [who]);
    await rounds();
    expect(wechat.holders.get(code)).toMatchObject({ to: 4 });
  });

  test("holds nothing up while it is dead, and hears of it all once it lives", async () => {
    wechat.alive = false;
    const id = await make();
    await person("mch01", createWxCard, { id, api: "brand" });
    await rounds();
    expect(await wx(id)).toMatchObject({ state: 1, sync: 3, wxCardId: null });
    const { no } = await member();
    const { code, made } = await open(id, no);
    expect(made).toBe(true);
    const { revision } = await person("mch01", getCard, { id });
    await person("mch01", setCardFace, { id, revision, ...FACE, name: "活过来" });
    wechat.alive = true;
    for (let n = 0; n < 3; n++) await rounds();
    const { wxCardId } = await wx(id);
    expect(wechat.cards.get(wxCardId!)).toMatchObject({ name: "活过来" });
    expect(wechat.holders.get(code)).toMatchObject({ to: 2 });
  });

  test("what its form asks arrives there: lost it is told again, refused it says so, changed it is told anew; and there is one card", async () => {
    const id = await make(2, { activation: "form", endsOn: "2027-06-30" });
    const before = wechat.cards.size;
    wechat.asks = "loses";
    await person("mch01", createWxCard, { id, api: "open" });
    await rounds();
    expect(await wx(id)).toMatchObject({ sync: 3, wxCardId: expect.any(String) });
    wechat.asks = "refuses";
    await rounds();
    expect(await wx(id)).toMatchObject({ state: 3, sync: 2, why: expect.stringContaining("表单") });
    wechat.asks = "well";
    const { form, revision } = await person("mch01", getCard, { id });
    await person("mch01", setCardForm, { id, revision, form: { ...form, email: 2 } });
    await rounds();
    const { wxCardId, ...at } = await wx(id);
    expect(at).toMatchObject({ sync: 1, why: null });
    expect(wechat.forms.get(wxCardId!)).toMatchObject({ mobile: 2, email: 2 });
    await person("mch01", setCardForm, { id, revision: revision + 1, form: { ...form, email: 0 } });
    await rounds();
    expect(wechat.forms.get(wxCardId!)).toMatchObject({ email: 0 });
    expect(wechat.cards.size).toBe(before + 1);
  });

  test("a card whose making nobody heard of is found again, and made once", async () => {
    const id = await make();
    wechat.loses = true;
    const before = wechat.cards.size;
    await person("mch01", createWxCard, { id, api: "open" });
    await rounds();
    wechat.loses = false;
    await rounds();
    await rounds();
    expect(wechat.cards.size).toBe(before + 1);
    expect(await wx(id)).toMatchObject({ state: 2, sync: 1 });
    await person("mch01", deleteWxCard, { id });
    await rounds();
    expect(wechat.cards.size).toBe(before);
    expect(await wx(id)).toMatchObject({ state: 4, sync: 1 });
    await person("mch01", createWxCard, { id, api: "brand" });
    await person("sp01", syncWxCard, { id });
    expect(await person("sp01", getWxCard, { id })).toMatchObject({ state: 1, api: "brand" });
    expect((await person("mch01", listCards, {})).items.length).toBeGreaterThan(1);
  });
});

test("who opens a card gets its coupons too, once; an activity names only coupons that are given out", async () => {
  const campaign = await draft();
  const card = await make();
  const gift = { points: 0, giftCents: 0, budgetCents: null, couponCampaignId: campaign, couponCount: 2 };
  const stock = () => stockOf(campaign);
  await expect(activity(card, gift)).rejects.toMatchObject({ fields: { couponCampaignId: "这张优惠券不在发放中" } });
  await approve(campaign);
  // It starts with as many as it may give, or not at all: nobody else gets them.
  await expect(activity(card, { ...gift, mostCount: 3 })).rejects.toMatchObject({ status: 409, code: "coupon.gone" });
  const id = await activity(card, { ...gift, mostCount: 2 });
  expect(await stock()).toEqual({ issued: 0, held: 4 });
  expect(await person("mch01", getActivity, { id })).toMatchObject({ coupons: "满 80 减 20 的券 2 张" });
  const someone = await member();
  expect(await open(card, someone.no)).toMatchObject({ made: true, gift: "满 80 减 20 的券 2 张" });
  await open(card, someone.no);
  await world.runJobs();
  expect(await world.owner("select state from coupons where member_id = $1 and source = 'gift'", [someone.id])).toEqual([
    { state: "SENDED" },
    { state: "SENDED" },
  ]);
  expect(await world.look(verifyCoupons)).toEqual([]);
  expect([await stock(), await person("mch01", getActivity, { id })]).toMatchObject([
    { issued: 2, held: 2 },
    { couponsGiven: 2, costCents: 4_000 },
  ]);
  // A rest keeps them, a change lets them go until it goes on, and its end frees what nobody got.
  await person("mch01", moveActivity, { id, from: 1, to: 2 });
  expect(await stock()).toEqual({ issued: 2, held: 2 });
  const { revision, name } = await person("mch01", getActivity, { id });
  const facts = { ...gift, cardId: card, name, firstDay: "2026-11-01", lastDay: "2026-12-31", mostCount: 2 };
  await person("mch01", updateActivity, { id, revision, ...facts, couponCount: 1 });
  expect(await stock()).toEqual({ issued: 2, held: 0 });
  await person("mch01", moveActivity, { id, from: 2, to: 1 });
  expect(await stock()).toEqual({ issued: 2, held: 1 });
  world.services.clock.set("2027-01-01T00:06:00Z");
  await endCards.run(world.services, {});
  expect([await stock(), (await person("mch01", getActivity, { id })).status]).toEqual([{ issued: 2, held: 0 }, 3]);
  expect(await world.look(verifyCoupons)).toEqual([]);
});

describe("coupons that an activity set aside", () => {
  const gift = { points: 0, giftCents: 0, budgetCents: null, couponCount: 1 };
  const given = async (): Promise<string> => {
    const id = await draft();
    await approve(id);
    return id;
  };

  test("come though their campaign rests as they are given", async () => {
    const campaign = await given();
    const card = await make();
    await activity(card, { ...gift, couponCampaignId: campaign, mostCount: 1 });
    const someone = await member();
    await open(card, someone.no);
    await askCoupons(steerCampaign, { id: campaign, act: "pause" });
    await world.runJobs();
    expect(await world.owner("select state from coupons where member_id = $1", [someone.id])).toEqual([{ state: "SENDED" }]);
    expect(await stockOf(campaign)).toEqual({ issued: 1, held: 0 });
  });

  test("are for as many as its balance lasts for, in activities that were there before too", async () => {
    const campaign = await given();
    const card = await make();
    const facts = { ...gift, couponCampaignId: campaign, giftCents: 400, budgetCents: 1_000, mostCount: 10 };
    const id = await activity(card, facts);
    expect(await stockOf(campaign)).toEqual({ issued: 0, held: 2 });
    await world.owner("update card_activities set held_coupons = 4 where id = $1", [id]);
    await world.owner("update coupon_stock set held = 4 where campaign_id = $1", [campaign]);
    await migration("0453-no-more-held-than-balance-lasts");
    expect(await stockOf(campaign)).toEqual({ issued: 0, held: 2 });
    expect(await world.look(verifyCards)).toEqual([]);
    for (const gets of ["赠送余额 4.00（不可退）、满 80 减 20 的券 1 张", "赠送余额 4.00（不可退）、满 80 减 20 的券 1 张", ""])
      expect((await open(card, (await member()).no)).gift).toBe(gets);
    await world.runJobs();
    expect(await stockOf(campaign)).toEqual({ issued: 2, held: 0 });
    expect(await world.look(verifyCoupons)).toEqual([]);
  });

  test("are free again once its card is over, whatever its own last day", async () => {
    const campaign = await given();
    const card = await make(2, { endsOn: "2026-11-30" });
    const id = await activity(card, { ...gift, couponCampaignId: campaign, mostCount: 3 });
    world.services.clock.set("2026-11-30T16:05:00Z");
    await endCards.run(world.services, {});
    expect([await stockOf(campaign), (await person("mch01", getActivity, { id })).status]).toEqual([{ issued: 0, held: 0 }, 3]);
    expect(await world.look(verifyCoupons)).toEqual([]);
  });
});

test("who had an opening gift and was merged is known again by who they are now", async () => {
  const [campaign, card] = [await draft(), await make()];
  await approve(campaign);
  const id = await activity(card, { points: 0, giftCents: 0, budgetCents: null, couponCampaignId: campaign, mostCount: 2 });
  const [before, now, next] = [await member(), await member(), await member()];
  await open(card, before.no);
  const has = (member_id: string) =>
    world.owner(
      `insert into member_identities (service_provider_id, merchant_id, member_id, kind, subject_hash, created_at)
        values ($1, $2, $3, 'phone', $4, now())`,
      [...Object.values(holder(member_id)), md5("merged")],
    );
  await has(now.id);
  await world.owner("update members set status = 5, merged_into = $2 where id = $1", [before.id, now.id]);
  await migration("0454-opening-gifts-of-who-was-merged");
  await world.owner("delete from member_identities where member_id = $1", [now.id]);
  await has(next.id);
  expect((await open(card, next.no)).gift).toBe("");
  expect((await person("mch01", getActivity, { id })).refused).toEqual([{ why: "phone", count: 1 }]);
});

test("an activity's results are of the stores in sight", async () => {
  const card = await make();
  const id = await activity(card);
  await world.owner("update positions set items = items || '/memberCard/activity'::text where id = $1", [world.tree.position]);
  for (const n of [0, world.tree.merchants.mch01.stores.length - 1]) await open(card, (await member()).no, n);
  expect(await person("mch01", getActivity, { id })).toMatchObject({ givenCount: 2, people: 2, costCents: 1_000 });
  expect(await person("fin01", getActivity, { id })).toMatchObject({ givenCount: 2, people: 1, costCents: 500 });
});
