import { randomInt, randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { findOrMake } from "../../../members/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { type CustomerDoor, verifyParts } from "../../../pricing/server/index.ts";
import { addDiscountRule, type discountTerms } from "../../contract/index.ts";
import type { z } from "zod";
import { discounts } from "../index.ts";
import { verifyDiscounts } from "../verify-discounts.ts";

/** A test's ticket is the member's id. */
const customers: CustomerDoor = {
  open: async (_tx, _services, _where, ticket) => {
    if (!/^[0-9a-f-]{36}$/.test(ticket)) throw invalid("ticket", "会员凭证无效，请重新识别会员");
    return { member_id: ticket, proof: "full" };
  },
  prove: async () => {},
  admit: async () => {},
  use: async () => {},
};
type Given = Partial<Omit<InputOf<typeof addDiscountRule>, "terms">>;
export interface Quoted {
  readonly quote: string;
  readonly paidCents: number;
  readonly parts: readonly { readonly source: string; readonly name: string; readonly offCents: number }[];
}
export interface DiscountWorld extends TillWorld {
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** A rule of mch01. */
  rule(kind: 1 | 2 | 3 | 4, terms: z.input<typeof discountTerms>, more?: Given): Promise<string>;
  member(): Promise<string>;
  quote(tillNo: string, grossCents: number, more?: object, store?: number): Promise<Quoted>;
  /** Quotes it and places the order, paid by code unless told otherwise. */
  sell(tillNo: string, grossCents: number, more?: object, paying?: object, store?: number): Promise<{ orderNo: string; status: number }>;
  /** What a rule has spent, and its uses by state. */
  spent(rule: string): Promise<{ spent: number | null; uses: Record<string, number> }>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" };
/** The world of tills with this room over it. */
export async function openDiscountWorld(): Promise<DiscountWorld> {
  const world = await openTillWorld({ above: [discounts] });
  const { services, owner, tree } = world;
  tie(services, [...tiedTo(services), domain({ customers })]);
  const shop = tree.merchants.mch01;
  const look = <T>(fn: Parameters<typeof withScope<T>>[2]) => withScope(services.pool, platformScope("test"), fn);
  const call: DiscountWorld["call"] = async (login, endpoint, input) =>
    (await world.ask(
      login,
      discounts.routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as never;
  const quote: DiscountWorld["quote"] = (tillNo, grossCents, more = {}, store = 0) =>
    world.till(shop.stores[store]!, "quotePrice", { tillNo, grossCents, ...more }) as never;
  return {
    ...world,
    call,
    quote,
    async rule(kind, terms, more = {}) {
      const given = { requestId: randomUUID(), kind, name: `规则 ${services.ids.digits(8)}`, terms, ...more };
      return (await call("mch01", addDiscountRule, given as never)).id;
    },
    async member() {
      const { id } = await look((tx) =>
        findOrMake(tx, services, {
          service_provider_id: shop.serviceProviderId,
          merchant_id: shop.id,
          store_id: shop.stores[0]!.id,
          source: 1,
          by: { kind: "phone", phone: `139${randomInt(10_000_000, 99_999_999)}`, confirmed: true },
          stage: 1,
          name: "文新",
          by_name: "收银端",
        }),
      );
      return id;
    },
    async sell(tillNo, grossCents, more = {}, paying = CODE, store = 0) {
      const priced = await quote(tillNo, grossCents, more, store);
      const order = { tillNo, subject: "午餐", grossCents, quote: priced.quote, ...more, ...paying };
      return world.till(shop.stores[store]!, "createTillOrder", order) as never;
    },
    async spent(rule) {
      const [budget] = await owner<{ spent: number }>("select spent_cents as spent from discount_budgets where rule_id = $1", [rule]);
      const rows = await owner<{ state: string; n: number }>(
        "select state, count(*)::int as n from discount_uses where rule_id = $1 group by 1",
        [rule],
      );
      return { spent: budget?.spent ?? null, uses: Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
    },
    breaches: async () => [
      ...(await world.verify()),
      ...(await look((tx) => verifyParts(tx, new Date(0).toISOString()))),
      ...(await look(verifyDiscounts)),
    ],
    async clean() {
      await world.forget();
      await emptyTables(owner, "discount_settings, discount_uses, discount_budgets, discount_rules");
      world.channel.forget();
    },
  };
}
