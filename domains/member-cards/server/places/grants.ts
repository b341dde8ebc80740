import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { cardRight, type CardRight, getGrant, listGrants, rightWords, setGrant, summariseGrants, within } from "../../contract/index.ts";
import { cardsWhere } from "../cards/read-cards.ts";
import { actorOf, both, givenToMerchant, givenToStores, holdCard, rightsIn } from "../cards/rights.ts";

type Row = RowOf<typeof listGrants>;
/** The level that somebody gives to. */
const below = (scope: Scope): "MCH" | "AE" => (actorOf(scope) === "SP" ? "MCH" : "AE");
/** What holds of what was given: a giver who lost something gives it no more. */
const gives = (scope: Scope, alias: string) =>
  below(scope) === "MCH" ? givenToMerchant(alias) : both(givenToStores(alias), rightsIn(scope, alias));

const listed = (scope: Scope, filter: ParsedOf<typeof summariseGrants>): Listed => ({
  columns: sql`c.id, c.name, c.tone, c.status, c.merchant_id as "merchantId", m.short_name as "merchantName", ${rightsIn(scope, "c")} as has,
    ${gives(scope, "c")} as gives, coalesce(w.by_name, '') as by, w.updated_at as "updatedAt", c.created_at as "createdAt"`,
  from: sql`member_cards c join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    left join card_grants w on w.service_provider_id = c.service_provider_id and w.card_id = c.id and w.level = ${below(scope)}`,
  where: sql`${inScope(scope, "c", "merchant")} and ${cardsWhere(filter)}`,
  counted: sql`member_cards c`,
  order: "c.created_at",
});
/** 会员卡授权. */
export const listGrantsRoute = implement(listGrants, ({ tx, scope }, input) => listPage<Row>(tx, input, listed(scope, input)));
export const getGrantRoute = implement(getGrant, ({ tx, scope }, { id }) => oneRow<Row>(tx, "会员卡", id, listed(scope, {})));
export const summariseGrantsRoute = implement(summariseGrants, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number }>`select c.status, count(*)::int as count from member_cards c
    where ${inScope(ctx.scope, "c", "merchant")} and ${cardsWhere(rest)} group by c.status`.execute(ctx.tx);
  return {
    count: rows.filter((row) => status === undefined || row.status === status).reduce((sum, { count }) => sum + count, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

/** 修改会员卡授权: never more than the giver has, and not over what somebody else gave meanwhile. */
export const setGrantRoute = implement(setGrant, async (ctx, { id, seen, rights }) => {
  const card = await holdCard(ctx.tx, ctx.scope, id);
  const level = below(ctx.scope);
  const wanted = within(rights, cardRight.values);
  const beyond = wanted.filter((right) => !card.may.includes(right));
  if (beyond.length > 0)
    throw new Refusal(403, "card.right", `服务商没有给您「${rightWords(beyond)}」，不能再授权`, {
      rights: `您没有「${rightWords(beyond)}」`,
    });
  const { rows } = await sql<{ now: CardRight[] }>`select ${gives(ctx.scope, "c")} as now from member_cards c
    where c.service_provider_id = ${card.service_provider_id} and c.id = ${id}`.execute(ctx.tx);
  const now = rows[0]?.now ?? [];
  const changed = () => conflict("授权已被别人修改，请刷新后再改", "version.changed");
  if (within(now, cardRight.values).join() !== within(seen, cardRight.values).join()) throw changed();
  // The card's row is held: who gives at the same moment waits for this.
  const written = await ctx.tx
    .insertInto("card_grants")
    .values({
      service_provider_id: card.service_provider_id,
      card_id: id,
      level,
      merchant_id: card.merchant_id,
      rights: sql`${wanted}::text[]`,
      by_name: askerOf(ctx).name,
      updated_at: ctx.now,
    })
    .onConflict((again) =>
      again.columns(["service_provider_id", "card_id", "level"]).doUpdateSet({
        rights: sql`excluded.rights`,
        by_name: sql`excluded.by_name`,
        updated_at: sql`excluded.updated_at`,
      }),
    )
    .executeTakeFirst();
  mustChange(written, changed);
  ctx.note({
    targetKind: "card_grant",
    targetId: id,
    provider: card.service_provider_id,
    merchant: card.merchant_id,
    before: { level, rights: now },
    after: { level, rights: wanted },
  });
  return { ok: true as const };
});
