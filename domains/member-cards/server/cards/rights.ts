import { sql, type RawBuilder } from "kysely";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type CardRight, cardRight } from "../../contract/index.ts";

/** Who acts on a card: a provider, its merchant, or who is narrowed to stores of the merchant. */
export type Actor = "SP" | "MCH" | "AE";
export const actorOf = ({ merchant, stores }: Scope): Actor => (merchant === undefined ? "SP" : stores === undefined ? "MCH" : "AE");

const ALL = sql`array['face', 'form', 'gift', 'stores', 'pause']`;
const rowOf = (alias: string, level: "MCH" | "AE") => sql`(select g.rights from card_grants g
  where g.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)} and g.card_id = ${sql.ref(`${alias}.id`)} and g.level = ${level})`;
/** What a merchant has by its provider: everything until the provider says otherwise. */
const merchants = (alias: string) => sql`coalesce(${rowOf(alias, "MCH")}, ${ALL})`;
/** What stores are given by the merchant, whatever the merchant itself has now. */
export const givenToStores = (alias: string): RawBuilder<CardRight[]> => sql`coalesce(${rowOf(alias, "AE")}, '{}')`;
export const givenToMerchant = (alias: string): RawBuilder<CardRight[]> => sql`${merchants(alias)}`;
/** Of rights in the order of the contract, those that both hold: what is passed on is never more than the giver has. */
export const both = (one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<CardRight[]> =>
  sql`array(select x.r from unnest(${ALL}) with ordinality as x(r, n) where x.r = any(${one}) and x.r = any(${other}) order by x.n)`;

/** What whoever is of this scope may change on the card of a row. */
export function rightsIn(scope: Scope, alias: string): RawBuilder<CardRight[]> {
  const actor = actorOf(scope);
  if (actor === "SP") return sql`${ALL}`;
  return actor === "MCH" ? both(merchants(alias), ALL) : both(givenToStores(alias), merchants(alias));
}
/** The guard of a write: the row's right holds as it is written. */
export const holds = (scope: Scope, alias: string, right: CardRight): RawBuilder<boolean> =>
  sql<boolean>`${right} = any(${rightsIn(scope, alias)})`;

export interface OwnCard {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly name: string;
  readonly status: 0 | 1 | 2 | 3 | 4 | 5;
  readonly everywhere: boolean;
  readonly revision: number;
  readonly logo_id: string | null;
  readonly background_id: string | null;
  readonly may: readonly CardRight[];
}
/** A card in sight, held until the end of the transaction: what may be changed on it doesn't change meanwhile. @throws 404 */
export async function holdCard(tx: Transaction, scope: Scope, id: string): Promise<OwnCard> {
  const { rows } =
    await sql<OwnCard>`select c.service_provider_id, c.merchant_id, c.id, c.name, c.status, c.everywhere, c.revision, c.logo_id,
      c.background_id, ${rightsIn(scope, "c")} as may
    from member_cards c where c.id = ${id} and ${inScope(scope, "c", "merchant")} for update of c`.execute(tx);
  const [card] = rows;
  if (!card) throw notFound("会员卡");
  return card;
}
/** @throws 403 where the level above has not given this */
export function mustHold(scope: Scope, { may }: OwnCard, right: CardRight): void {
  if (may.includes(right)) return;
  const above = actorOf(scope) === "AE" ? "商户" : "服务商";
  throw new Refusal(403, "card.right", `${above}没有授权修改这张卡的${cardRight.label(right)}`);
}
