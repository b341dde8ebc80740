import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { type CardRight, formOf, getCard, listCards, summariseCards } from "../../contract/index.ts";
import { rightsIn } from "./rights.ts";

export type CardRow = RowOf<typeof listCards>;
/** The address of a picture by the column that holds its number. */
export const pictureAt = (column: string): RawBuilder<string | null> => sql`'/api/card-pictures/' || ${sql.ref(column)}`;
/** Where a card serves, by name. */
export const placeNames = (alias: string): RawBuilder<string> => {
  const mine = (kind: "area" | "store") => sql`from card_places p where p.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)}
    and p.card_id = ${sql.ref(`${alias}.id`)} and p.kind = ${kind}`;
  return sql`case when ${sql.ref(`${alias}.everywhere`)} then '全部门店' else coalesce(nullif(concat_ws('、',
    (select string_agg(a.name, '、' order by a.name) from areas a where a.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)}
      and a.id in (select p.place_id ${mine("area")})),
    (select string_agg(n.short_name, '、' order by n.short_name) from stores n where n.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)}
      and n.id in (select p.place_id ${mine("store")}))), ''), '还没有门店') end`;
};
/** The one that members get who join where nothing is bound: the oldest that is open everywhere. */
const GIVEN = sql`c.id = (select o.id from member_cards o where o.service_provider_id = c.service_provider_id and o.merchant_id = c.merchant_id
  and o.status in (2, 4) and o.everywhere order by o.created_at, o.id limit 1) is true`;
const COLUMNS = sql`c.id, c.name, c.tone, ${pictureAt("c.logo_id")} as logo, c.status, c.everywhere, c.ends_on as "endsOn", c.holders,
  coalesce(${GIVEN}, false) as given, c.revision, c.created_at as "createdAt"`;

type Filter = ParsedOf<typeof summariseCards>;
/** What a filter names; whose it is stands in the statement itself. */
export const cardsWhere = ({
  keyword,
  status,
  ...more
}: Filter & { serviceProviderId?: string | undefined; merchantId?: string | undefined }): RawBuilder<boolean> =>
  all([
    keyword && sql`c.name ilike ${likeText(keyword)}`,
    is("c.status", status),
    is("c.service_provider_id", more.serviceProviderId),
    is("c.merchant_id", more.merchantId),
  ]);
/** The list of cards, for screen and file. */
export const cardsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: sql`member_cards c`,
  where: sql`${inScope(scope, "c", "merchant")} and ${cardsWhere(filter)}`,
  order: "c.created_at",
});

/** 会员卡. */
export const listCardsRoute = implement(listCards, (ctx, input) => listPage<CardRow>(ctx.tx, input, cardsListed(ctx.scope, input)));
export const summariseCardsRoute = implement(summariseCards, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; holders: number }>`
    select c.status, count(*)::int as count, sum(c.holders)::int as holders from member_cards c where ${inScope(ctx.scope, "c", "merchant")} and ${cardsWhere(rest)}
    group by c.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  return {
    count: shown.reduce((sum, { count }) => sum + count, 0),
    holders: shown.reduce((sum, { holders }) => sum + holders, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

interface More {
  readonly background: string | null;
  readonly notice: string;
  readonly phone: string;
  readonly rights: string;
  readonly activation: "auto" | "form";
  readonly form: string;
  readonly placeNames: string;
  readonly merchantName: string;
  readonly may: CardRight[];
}
/** 会员卡详情. */
export const getCardRoute = implement(getCard, async ({ tx, scope }, { id }) => {
  const { rows } = await sql<
    CardRow & More
  >`select ${COLUMNS}, ${pictureAt("c.background_id")} as background, c.notice, c.phone, c.rights, c.activation,
      c.form, ${placeNames("c")} as "placeNames", m.short_name as "merchantName", ${rightsIn(scope, "c")} as may
    from member_cards c join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    where c.id = ${id} and ${inScope(scope, "c", "merchant")}`.execute(tx);
  const [card] = rows;
  if (!card) throw notFound("会员卡");
  return { ...card, form: formOf(card.form) };
});
