import { savePointRule } from "@zhangfang/domains/points/contract/index.ts";
import { points, verifyPoints } from "@zhangfang/domains/points/server/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { openStoredWorld, type StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";
import { verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { addTimesProduct, setVipLevels } from "@zhangfang/domains/vip/contract/index.ts";
import { verifyVip, vip } from "@zhangfang/domains/vip/server/index.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { POINT_RULE } from "../flows/point-rule.ts";

const ROOMS = [points, vip];
const routeOf = (endpoint: Endpoint) => ROOMS.flatMap(({ routes }) => routes).find((one) => one.endpoint === endpoint)!;
/** Tills, stored value, points, levels and times cards of mch01, all books held against each other. */
export interface MemberWorld extends StoredWorld {
  /** Of two cards: 10 and 2 for 500.00, 60.00 a use alone, 40 days; 3 for 100.00, 40.00 a use alone, a year. */
  readonly products: readonly string[];
  /** Calls points or levels as a person. */
  send<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Calls levels as a till. */
  sendAt<E extends Endpoint>(store: number, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Everything that anybody has, by member and kind. */
  holdings(): Promise<Record<string, number>>;
  /** From now on points wait for so many days and end after so many months. */
  pointRule(pendingDays: number, months: number): Promise<void>;
}
export async function openMemberWorld(): Promise<MemberWorld> {
  const world = await openStoredWorld(ROOMS);
  const { services, owner, tree } = world;
  const began = new Date(services.clock.now_ms()).toISOString();
  const send: MemberWorld["send"] = async (login, endpoint, input) => (await world.ask(login, routeOf(endpoint), input as object)) as never;
  const levels = [
    { rank: 1, name: "银卡", basis: "growth" as const, threshold: 100 },
    { rank: 2, name: "金卡", basis: "growth" as const, threshold: 1_000 },
  ];
  // What an employee gives back above it waits for a yes.
  await owner("update merchants set refund_approval_above_cents = 1000 where id = $1", [tree.merchants.mch01.id]);
  await send("mch01", setVipLevels, { version: 0, levels });
  const products: string[] = [];
  for (const [times, giftTimes, priceCents, singlePriceCents, days] of [
    [10, 2, 50_000, 6_000, 40],
    [3, 0, 10_000, 4_000, 365],
  ] as const)
    products.push(
      (
        await send("mch01", addTimesProduct, {
          name: `洗车卡 ${times} 次`,
          times,
          giftTimes,
          priceCents: priceCents as never,
          singlePriceCents: singlePriceCents as never,
          days,
        })
      ).id,
    );
  async function pointRule(pendingDays: number, months: number): Promise<void> {
    const [now] = await owner<{ version: number }>("select coalesce(max(version), 0)::int as version from point_rules");
    const rule = { ...POINT_RULE, earn: { ...POINT_RULE.earn, pendingDays }, expiry: { ...POINT_RULE.expiry, kind: "months", months } };
    await send("mch01", savePointRule, { version: now!.version, rule } as never);
  }
  return {
    ...world,
    products,
    send,
    sendAt: async (store, endpoint, input) =>
      (await world.askTill(tree.merchants.mch01.stores[store]!, routeOf(endpoint), input as object)) as never,
    pointRule,
    holdings: async () =>
      Object.fromEntries(
        (
          await owner<{ what: string; balance: number }>(
            "select owner_id || ' ' || kind as what, balance::int as balance from value_accounts where balance <> 0 order by 1",
          )
        ).map(({ what, balance }) => [what, balance]),
      ),
    verify: async () => [
      ...(await world.verify()),
      ...((await world.look(async (tx) => [
        ...(await verifyValue(tx)),
        ...(await verifyStored(tx)),
        ...(await verifyPoints(tx)),
        ...(await verifyVip(tx)),
      ])) as never[]),
    ],
    async clean() {
      await world.clean();
      await emptyTables(
        owner,
        "times_uses, times_cards, vip_terms, vip_members, level_history, level_merges, right_grants, point_earnings, point_adjustments, point_rules",
      );
      services.clock.set(began);
      await world.rule();
      await pointRule(0, 1);
    },
  };
}
