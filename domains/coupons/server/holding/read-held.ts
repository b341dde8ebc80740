import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { MOST_COUPONS, type PriceAsk } from "../../../pricing/server/index.ts";
import { hoursWords } from "../../contract/index.ts";
import { CODE } from "../rules/number-rules.ts";
import { readCode } from "./read-code.ts";
import { type Bar, barOf, type Held } from "../rules/term-rules.ts";

/** How many of a member's coupons are told: those that end first. */
const MOST = 100;

/** The coupons that may be used now, by a condition over `coupons c`. */
const usableOnes = (provider: string, merchant: string, at: string, which: RawBuilder<unknown>) =>
  sql`select c.no, c.id, c.service_provider_id, c.campaign_id, c.version, c.valid_to from coupons c
    where c.service_provider_id = ${provider} and c.merchant_id = ${merchant} and c.state = 'SENDED' and c.valid_from <= ${at} and c.valid_to > ${at} and ${which}`;
/** Those of a statement over them, with what their terms say: what ends first stands first. */
const told = (of: RawBuilder<unknown>) => sql<Held>`select x.no, g.name, x.campaign_id, x.version, x.valid_to, t.terms, g.provider_percent
    from (${of}) x join coupon_campaigns g on g.service_provider_id = x.service_provider_id and g.id = x.campaign_id
    join coupon_terms t on t.service_provider_id = x.service_provider_id and t.campaign_id = x.campaign_id and t.version = x.version
    order by x.valid_to, x.id`;
export async function readHeld(...[tx, ...of]: readonly [Transaction, ...Parameters<typeof usableOnes>]): Promise<Held[]> {
  const { rows } = await told(sql`${usableOnes(...of)} order by c.valid_to, c.id limit ${MOST}`).execute(tx);
  return rows;
}
/** Of each campaign and version the one that ends first, however many there are of it: the others are worth the same. */
async function readKinds(...[tx, ...of]: Parameters<typeof readHeld>): Promise<Held[]> {
  const { rows } = await told(
    sql`select distinct on (u.campaign_id, u.version) u.* from (${usableOnes(...of)}) u order by u.campaign_id, u.version, u.valid_to, u.id`,
  ).execute(tx);
  return rows;
}
/** Those of a member, and of whoever was merged into them. */
export const ofMember = (provider: string, member: string): RawBuilder<unknown> =>
  sql`c.member_id = any(array(select f.id from members f where f.service_provider_id = ${provider} and (f.id = ${member} or f.merged_into = ${member})))`;
const named = (numbers: readonly string[]) => sql`c.no = any(${[...numbers]}::text[])`;

/** What stands against a coupon here and now, in the cashier's words. */
function barWords({ terms }: Held, bar: Bar): string {
  if (bar === "hours") return `这张券只在${hoursWords(terms)}可用`;
  return bar === "store" ? "这张券不能在本店使用" : "这张券不能在收银台使用";
}

/**
 * The coupons that a price looks at: those that were read at the till, by their codes or, where the customer is known, by the numbers that
 * identifying them told; or, for the best price, all of the customer's. Those of a quote are there as it chose them.
 * @throws 400 at `coupons` where one that was read is no good here
 */
export async function heldFor(tx: Transaction, services: Services, ask: PriceAsk): Promise<Held[]> {
  const { service_provider_id: provider, merchant_id: merchant, store_id, at, coupons, customer, quoted } = ask;
  const usable = (held: Held) => barOf(held.terms, { at, store_id, method: "OFF_LINE" });
  if (quoted) return quoted.length === 0 ? [] : (await readHeld(tx, provider, merchant, at, named(quoted))).filter((held) => !usable(held));
  if (coupons === "best") {
    if (!customer) return [];
    const kinds = await readKinds(tx, provider, merchant, at, ofMember(provider, customer.member_id));
    // One more than are looked at says that there are more.
    return kinds.filter((held) => !usable(held)).slice(0, MOST_COUPONS + 1);
  }
  if (coupons.length === 0) return [];
  const codes = coupons.filter((text) => CODE.test(text));
  const numbers = coupons.filter((text) => !CODE.test(text));
  for (const code of codes) await readCode(tx, services, ask, code);
  const own = customer && numbers.length > 0 ? sql`(${named(numbers)} and ${ofMember(provider, customer.member_id)})` : sql`false`;
  const held = await readHeld(tx, provider, merchant, at, sql`(${named(codes.map((code) => code.slice(2, 12)))} or ${own})`);
  for (const text of coupons) {
    const found = held.find(({ no }) => no === (CODE.test(text) ? text.slice(2, 12) : text));
    if (!found) throw invalid("coupons", "券不存在、已使用或已过期");
    const bar = usable(found);
    if (bar) throw invalid("coupons", barWords(found, bar));
  }
  return held;
}
