import { randomInt, randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { addCampaign, decideCampaign } from "../../../coupons/contract/index.ts";
import { coupons, verifyCoupons } from "../../../coupons/server/index.ts";
import { TERMS } from "../../../coupons/server/testing/coupon-world.ts";
import { joinAtPage, members } from "../../../members/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { points } from "../../../points/server/index.ts";
import { valueBook, verifyValue } from "../../../value-book/server/index.ts";
import { vip } from "../../../vip/server/index.ts";
import { addLottery, decideLottery, getLottery, getLotteryProof, listProofDraws } from "../../contract/index.ts";
import type { Outcome } from "../draws/draw-batch.ts";
import { lottery, verifyLottery } from "../index.ts";
import { drawAsMember } from "../own-lotteries.ts";

const ROOMS = [members, coupons, points, valueBook, vip, lottery];
/** A prize that everybody hits: 100 points, three of them. */
export const PRIZE = { name: "积分奖", kind: "points", amount: 100, chance: 1_000_000, stock: 3 } as const;
/** Goods at 68.00. */
export const GOODS = { name: "双人套餐", kind: "goods", amount: 1, valueCents: 6_800, chance: 1_000_000, stock: 2 } as const;

export interface Proof extends OutputOf<typeof getLotteryProof> {
  readonly all: OutputOf<typeof listProofDraws>["items"];
}
export interface LotteryWorld extends TillWorld {
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** What a lottery is made of: it runs today and for two days more. */
  facts(terms?: object, more?: object): InputOf<typeof addLottery>;
  /** A lottery of mch01 that another approved. */
  lottery(terms?: object, more?: object): Promise<string>;
  /** A coupon of mch01 that gives out: 满 80 减 20. */
  campaign(total?: number, terms?: object, more?: object): Promise<string>;
  /** Somebody who is a member of mch01. */
  join(phone?: string): Promise<string>;
  phone(): string;
  /** A member is no more: merged into another, or closed. */
  leave(member: string, into?: string): Promise<void>;
  /** One draw, or why not. */
  draw(lottery: string, member: string, nonce?: string): Promise<Outcome>;
  /** What everybody may read of it. */
  proof(lottery: string): Promise<Proof>;
  one(lottery: string): Promise<OutputOf<typeof getLottery>>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
/** The world of tills with this room and those that it gives from. */
export async function openLotteryWorld(): Promise<LotteryWorld> {
  const world = await openTillWorld({ above: ROOMS });
  const { services, owner, tree } = world;
  const shop = tree.merchants.mch01;
  const where = { service_provider_id: shop.serviceProviderId, merchant_id: shop.id, store_id: shop.stores[0]!.id };
  const routes = ROOMS.flatMap((room) => room.routes);
  const call: LotteryWorld["call"] = async (login, endpoint, input) =>
    (await world.ask(
      login,
      routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as never;
  const phone = () => `137${String(randomInt(10_000_000, 99_999_999))}`;
  const facts: LotteryWorld["facts"] = (terms = {}, more = {}) => {
    const today = shanghaiDay(services.clock.now_ms());
    const given = {
      requestId: randomUUID(),
      name: "周末摇一摇",
      firstDay: today,
      lastDay: addDays(today, 2),
      terms: { prizes: [PRIZE], perDay: 3, perPerson: 9, contact: "02886001234", staffListed: true, ...terms },
      ...more,
    };
    return given as never;
  };
  return {
    ...world,
    call,
    facts,
    phone,
    async lottery(terms, more) {
      const { id } = await call("mch01", addLottery, facts(terms, more));
      await owner("update lotteries set made_by = gen_random_uuid() where id = $1", [id]);
      await call("mch01", decideLottery, { id, version: 1, approve: true });
      return id;
    },
    async campaign(total = 100, terms = {}, more = {}) {
      const { id } = await call("mch01", addCampaign, {
        requestId: randomUUID(),
        name: "满减",
        terms: { ...TERMS, ...terms },
        total,
        perPerson: 10,
        beginsAt: new Date(services.clock.now_ms() - 1_000).toISOString(),
        endsAt: new Date(services.clock.now_ms() + 60 * 86_400_000).toISOString(),
        ...more,
      } as never);
      await owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      await call("mch01", decideCampaign, { id, version: 1, approve: true });
      return id;
    },
    async join(given = phone()) {
      const { id } = await withScope(services.pool, platformScope("somebody joins"), (tx) =>
        joinAtPage(tx, services, { ...where, phone: given, name: "文新", birthday: null, guardian: false, from: {} }),
      );
      return id;
    },
    async leave(member, into) {
      const state = into === undefined ? "status = 4, closed_at = now()" : "status = 5, merged_into = $2";
      if (into === undefined) await owner("update members set status = 3, close_asked_at = now() where id = $1", [member]);
      await owner(
        `update members set ${state}, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null, id_card_sealed = null,
          birthday = null, form_sealed = null, pin_hash = null where id = $1`,
        into === undefined ? [member] : [member, into],
      );
      if (into !== undefined) await owner("update member_identities set member_id = $2 where member_id = $1", [member, into]);
    },
    draw: (lottery_id, member, nonce = randomUUID()) => drawAsMember(services, { ...where, id: member }, { lottery_id, nonce }),
    async proof(id) {
      const head = await call("mch01", getLotteryProof, { lottery: id });
      return { ...head, all: (await call("mch01", listProofDraws, { lottery: id })).items };
    },
    one: (id) => call("mch01", getLottery, { id }),
    breaches: async () => [...(await world.look(verifyLottery)), ...(await world.look(verifyCoupons)), ...(await world.look(verifyValue))],
    async clean() {
      await world.forget();
      await emptyTables(
        owner,
        "lottery_staff, lottery_raises, lottery_wins, lottery_draws, lottery_seeds, lottery_chains, lottery_counts, lottery_prizes, lottery_terms, lotteries, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, merchant_settings",
      );
      world.channel.forget();
    },
  };
}
/** What somebody is told who may not. */
export const refusal = (error: unknown): string => (error instanceof Refusal ? error.message : String(error));
