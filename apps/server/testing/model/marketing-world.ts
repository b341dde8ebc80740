import { randomUUID } from "node:crypto";
import { activities } from "@zhangfang/domains/activities/server/index.ts";
import {
  addCampaign,
  addPackage,
  answerCampaign,
  askRevoke,
  createSend,
  decideCampaign,
  decidePackage,
  decideRevoke,
  steerCampaign,
} from "@zhangfang/domains/coupons/contract/index.ts";
import { claimCoupon, coupons, receivePackage } from "@zhangfang/domains/coupons/server/index.ts";
import { TERMS } from "@zhangfang/domains/coupons/server/testing/coupon-world.ts";
import { addDiscountRule } from "@zhangfang/domains/discounts/contract/index.ts";
import { discounts } from "@zhangfang/domains/discounts/server/index.ts";
import { lottery } from "@zhangfang/domains/lottery/server/index.ts";
import { points, verifyPoints } from "@zhangfang/domains/points/server/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { openStoredWorld, type StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";
import { verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { POINT_RULE } from "../flows/point-rule.ts";
import { verifyMarketing } from "../../verify-marketing.ts";

const ROOMS = [coupons, discounts, points, activities, lottery];
const DAY_MS = 86_400_000;
/** Everything that lowers a price, over tills and members of mch01 whose ids are their tickets. */
export interface MarketingWorld extends StoredWorld {
  send<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** A campaign that another approved: of the provider's, with its percent, where one is given. */
  campaign(terms: object, more?: object, percent?: number): Promise<string>;
  /** A package that another approved. */
  pack(items: readonly { readonly campaignId: string; readonly count: number }[], more?: object): Promise<string>;
  discount(kind: 1 | 2 | 3 | 4, terms: object, more?: object): Promise<string>;
  claim(campaign: string, member: string, request?: string): Promise<{ coupon_id: string; no: string }>;
  receive(member: string, pack: string): Promise<unknown>;
  /** Sends a coupon to members by their numbers, to the last row. @returns the task */
  give(campaign: string, numbers: readonly string[]): Promise<string>;
  /** Asks for what was sent back, on another person's yes. */
  revoke(task: string): Promise<void>;
  stop(campaign: string): Promise<void>;
}
export async function openMarketingWorld(): Promise<MarketingWorld> {
  const world = await openStoredWorld(ROOMS);
  const { services, owner, tree } = world;
  const shop = tree.merchants.mch01;
  const routes = ROOMS.flatMap((room) => room.routes);
  for (const code of ["drink", "cake"])
    await owner(
      "insert into product_tags (service_provider_id, id, merchant_id, code, name, created_at) values ($1, gen_random_uuid(), $2, $3, $3, now())",
      [shop.serviceProviderId, shop.id, code],
    );
  const send: MarketingWorld["send"] = async (login, endpoint, input) =>
    (await world.ask(
      login,
      routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as never;
  const span = () => ({
    beginsAt: new Date(services.clock.now_ms() - 1_000).toISOString(),
    endsAt: new Date(services.clock.now_ms() + 30 * DAY_MS).toISOString(),
  });
  const where = { service_provider_id: shop.serviceProviderId, merchant_id: shop.id };
  return {
    ...world,
    send,
    async campaign(terms, more = {}, percent) {
      const by = percent === undefined ? "mch01" : "sp01";
      const provider = percent === undefined ? {} : { provider: { percent, merchantIds: [shop.id] } };
      const facts = { requestId: randomUUID(), name: "满减", terms: { ...TERMS, ...terms }, total: 30, perPerson: 3 };
      const { id } = await send(by, addCampaign, { ...facts, ...span(), ...provider, ...more } as never);
      await owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      await send(by, decideCampaign, { id, version: 1, approve: true });
      if (percent !== undefined && percent < 100) await send("mch01", answerCampaign, { id, accept: true });
      return id;
    },
    async pack(items, more = {}) {
      const facts = { requestId: randomUUID(), name: "早餐包", items, total: 5, perPerson: 3, ...span(), ...more };
      const { id } = await send("mch01", addPackage, facts as never);
      await owner("update packages set made_by = gen_random_uuid() where id = $1", [id]);
      await send("mch01", decidePackage, { id, approve: true });
      return id;
    },
    discount: async (kind, terms, more = {}) =>
      (
        await send("mch01", addDiscountRule, {
          requestId: randomUUID(),
          kind,
          name: `规则 ${services.ids.digits(8)}`,
          terms,
          ...more,
        } as never)
      ).id,
    claim: (campaign_id, member_id, request_id = randomUUID()) =>
      claimCoupon(services, { service_provider_id: shop.serviceProviderId, campaign_id }, { member_id, request_id }),
    receive: (member, package_id) =>
      world.look((tx) => receivePackage(tx, services, { ...where, id: member }, { package_id, request_id: randomUUID() })),
    async give(campaignId, memberNos) {
      const asked = { requestId: randomUUID(), name: "回店", campaignId, memberNos, again: true };
      const { id } = await send("mch01", createSend, asked as never);
      await world.runJobs();
      return id;
    },
    async revoke(id) {
      await send("mch01", askRevoke, { id, reason: "发错了" });
      await owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [id]);
      await send("mch01", decideRevoke, { id, approve: true });
      await world.runJobs();
    },
    stop: async (id) => void (await send("mch01", steerCampaign, { id, act: "stop" })),
    verify: async () => [
      ...(await world.verify()),
      ...(await world.look((tx) => verifyMarketing(tx, "-infinity"))),
      ...((await world.look(async (tx) => [
        ...(await verifyValue(tx)),
        ...(await verifyStored(tx)),
        ...(await verifyPoints(tx)),
      ])) as never[]),
    ],
    async clean() {
      await world.clean();
      await emptyTables(
        owner,
        `package_coupons, package_gets, package_items, packages, subsidy_accounts, subsidy_entries, subsidy_postings, subsidy_statements, coupon_covers,
          send_revokes, send_tasks, send_rows, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, coupon_codes, code_faults,
          lottery_staff, lottery_raises, lottery_wins, lottery_draws, lottery_seeds, lottery_chains, lottery_counts, lottery_prizes, lottery_terms, lotteries,
          activity_marks, activity_gifts, activity_grants, activity_stock, activity_budgets, activity_terms, activities,
          merchant_settings, discount_settings, discount_uses, discount_budgets, discount_rules, point_earnings, point_adjustments, point_rules`,
      );
      await world.rule();
      const save = points.routes.find(({ endpoint }) => endpoint.path === "/api/points/rule" && endpoint.verb === "POST")!;
      await world.ask("mch01", save, { version: 0, rule: POINT_RULE });
    },
  };
}
