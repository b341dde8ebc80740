import { randomInt, randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
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
import { wechat } from "../../../wechat/server/index.ts";
import { addActivity, decideActivity, getActivity, type GrantStatus } from "../../contract/index.ts";
import { activities, verifyActivities } from "../index.ts";

const ROOMS = [members, coupons, points, valueBook, vip, wechat, activities];
type Facts = Omit<InputOf<typeof addActivity>, "terms"> & { terms: object };
export interface Came {
  readonly device?: string;
  readonly address?: string;
  readonly invitation?: string;
}
export interface Given {
  readonly id: string;
  readonly status: GrantStatus;
  readonly why: string | null;
  readonly occasion: string;
  readonly member_id: string;
}
export interface ActivityWorld extends TillWorld {
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** What an activity is made of: 100 points for each of three. */
  facts(terms?: object, more?: object): InputOf<typeof addActivity>;
  /** An activity of mch01 that another approved. */
  activity(terms?: object, more?: object): Promise<string>;
  /** A coupon of mch01 that gives out: 满 80 减 20. */
  campaign(total?: number, terms?: object): Promise<string>;
  /** Somebody joins at the page of mch01, or signs in again, and what follows is done. @returns the member */
  join(given?: { phone?: string; from?: Came; birthday?: string; run?: boolean }): Promise<string>;
  phone(): string;
  /** An order of a member that was paid now, by an account at the channel. */
  paid(member: string, cents: number, payer: string, refundedCents?: number): Promise<void>;
  grants(activity: string): Promise<Given[]>;
  one(activity: string): Promise<OutputOf<typeof getActivity>>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
/** The world of tills with this room and those that it gives from. */
export async function openActivityWorld(): Promise<ActivityWorld> {
  const world = await openTillWorld({ above: ROOMS });
  const { services, owner, tree } = world;
  const shop = tree.merchants.mch01;
  const where = { service_provider_id: shop.serviceProviderId, merchant_id: shop.id, store_id: shop.stores[0]!.id };
  const routes = ROOMS.flatMap((room) => room.routes);
  const call: ActivityWorld["call"] = async (login, endpoint, input) =>
    (await world.ask(
      login,
      routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as never;
  const phone = () => `137${String(randomInt(10_000_000, 99_999_999))}`;
  const facts: ActivityWorld["facts"] = (terms = {}, more = {}) => {
    const today = shanghaiDay(services.clock.now_ms());
    const given: Facts = {
      requestId: randomUUID(),
      kind: "new",
      name: "见面礼",
      firstDay: today,
      lastDay: addDays(today, 29),
      terms: { gift: { points: 100 }, places: 3, ...terms },
      ...more,
    };
    return given as never;
  };
  return {
    ...world,
    call,
    facts,
    phone,
    async activity(terms, more) {
      const { id } = await call("mch01", addActivity, facts(terms, more));
      await owner("update activities set made_by = gen_random_uuid() where id = $1", [id]);
      await call("mch01", decideActivity, { id, version: 1, approve: true });
      return id;
    },
    async campaign(total = 100, terms = {}) {
      const { id } = await call("mch01", addCampaign, {
        requestId: randomUUID(),
        name: "满减",
        terms: { ...TERMS, ...terms },
        total,
        perPerson: 10,
        beginsAt: new Date(services.clock.now_ms() - 1_000).toISOString(),
        endsAt: new Date(services.clock.now_ms() + 60 * 86_400_000).toISOString(),
      } as never);
      await owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      await call("mch01", decideCampaign, { id, version: 1, approve: true });
      return id;
    },
    async join({ phone: given = phone(), from = {}, birthday, run = true } = {}) {
      services.clock.advance(1);
      const { id } = await withScope(services.pool, platformScope("somebody joins"), (tx) =>
        joinAtPage(tx, services, { ...where, phone: given, name: "文新", birthday: birthday ?? null, guardian: false, from }),
      );
      if (run) await world.runJobs();
      return id;
    },
    async paid(member, cents, payer, refunded = 0) {
      const tillNo = `R${services.ids.digits(12)}`;
      await world.till(shop.stores[0]!, "createTillOrder", {
        tillNo,
        tradeType: "MICROPAY",
        authCode: "130000000000000009",
        subject: "午餐",
        grossCents: cents as never,
      });
      await owner("update pay_orders set member_id = $1, payer = $2 where till_no = $3", [member, payer, tillNo]);
      if (refunded > 0) {
        const asked = await world.till(shop.stores[0]!, "refundTillOrder", {
          requestId: randomUUID(),
          tillNo,
          amountCents: refunded as never,
          reason: "退菜",
        });
        await world.runJobs();
        world.channel.decide(asked.refundNo, "success");
        services.clock.advance(60_000);
        await world.sweep("query-refunds");
      }
      await world.runJobs();
    },
    grants: (activity) =>
      owner<Given>("select id, status, why, occasion, member_id from activity_grants where activity_id = $1 order by at, id", [activity]),
    one: (id) => call("mch01", getActivity, { id }),
    breaches: async () => [
      ...(await world.look(verifyActivities)),
      ...(await world.look(verifyCoupons)),
      ...(await world.look(verifyValue)),
    ],
    async clean() {
      await world.forget();
      await emptyTables(
        owner,
        "wx_fan_list, wx_fan_syncs, wx_follows, wx_fan_channels, wx_calls, wx_app_tokens, wx_fan_events, wx_fans, wx_apps, activity_invitations, activity_inviters, activity_marks, activity_gifts, activity_grants, activity_stock, activity_budgets, activity_terms, activities, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, merchant_settings",
      );
      world.channel.forget();
    },
  };
}
