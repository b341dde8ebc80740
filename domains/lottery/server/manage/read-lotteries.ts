import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { isMaker, mayAlone } from "../../../coupons/server/index.ts";
import { getLottery, listLotteries, type LotteryTerms, summariseLotteries } from "../../contract/index.ts";
import { FROM } from "./find-lottery.ts";

export type LotteryRow = RowOf<typeof listLotteries>;
type Filter = ParsedOf<typeof summariseLotteries>;
const COUNTED = sql`${FROM} join lottery_counts c on c.service_provider_id = l.service_provider_id and c.lottery_id = l.id`;
const WINS = sql<number>`coalesce((select sum(p.drawn) from lottery_prizes p where p.service_provider_id = l.service_provider_id and p.lottery_id = l.id), 0)::int`;
const COLUMNS = sql`l.id, l.no, l.name, l.state, array_to_string(t.words, '、') as worth,
  to_char(l.begins_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "firstDay",
  to_char((l.ends_at - interval '1 second') at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "lastDay", c.draws::int as draws, ${WINS} as wins,
  c.budget_cents as "budgetCents", c.held_cents as "heldCents", c.spent_cents as "spentCents", l.made_by_name as "madeBy", l.created_at as "createdAt"`;
const where = (scope: Scope, { keyword, state }: Filter): RawBuilder<boolean> =>
  all([inScope(scope, "l", "merchant"), keyword && sql`l.no = ${keyword} or l.name ilike ${likeText(keyword)}`, is("l.state", state)]);
/** The list of lotteries, for screen and file. */
export const lotteriesListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: COUNTED,
  where: where(scope, filter),
  order: "l.created_at",
});

/** 摇一摇活动. */
export const listLotteriesRoute = implement(listLotteries, (ctx, input) =>
  listPage<LotteryRow>(ctx.tx, input, lotteriesListed(ctx.scope, input)),
);
export const summariseLotteriesRoute = implement(summariseLotteries, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{
    state: string;
    count: number;
    draws: number;
    wins: number;
    spent: number;
  }>`select l.state, count(*)::int as count,
      coalesce(sum(c.draws), 0)::int as draws, coalesce(sum(${WINS}), 0)::int as wins, coalesce(sum(c.spent_cents), 0)::bigint as spent
    from ${COUNTED} where ${where(ctx.scope, rest)} group by l.state`.execute(ctx.tx);
  const shown = rows.filter((row) => state === undefined || row.state === state);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  return {
    count: sum(({ count }) => count),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    draws: sum(({ draws }) => draws),
    wins: sum(({ wins }) => wins),
    spentCents: sum(({ spent }) => spent) as never,
  };
});

/** Where everybody rechecks a lottery. */
export const proofUrl = ({ config }: Pick<Services, "config">, id: string): string => `${config.public_url}/lottery/${id}`;

interface More {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly made_by: string;
  readonly version: number;
  readonly terms: LotteryTerms;
  readonly said: string[];
  readonly words: string[];
  readonly costs: number[];
  readonly seed0: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: never;
  readonly stoppedAt: never;
}
/** 摇一摇详情, with what became of it. */
export const getLotteryRoute = implement(getLottery, async (ctx, { id }) => {
  const { rows } = await sql<
    LotteryRow & More
  >`select ${COLUMNS}, l.service_provider_id, l.merchant_id, l.made_by, l.version, t.terms, t.said, t.words,
      t.costs::int[] as costs, encode(l.seed0, 'hex') as seed0, l.decided_by_name as "decidedBy", l.decided_at as "decidedAt", l.stopped_at as "stoppedAt"
    from ${COUNTED} where l.id = ${id} and ${inScope(ctx.scope, "l", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("摇一摇");
  const { service_provider_id, merchant_id, made_by, words, costs, ...found } = rows[0];
  const made = { service_provider_id, merchant_id, made_by };
  const waits = found.state === "UNAUDIT";
  const own = isMaker(ctx, made);
  return {
    ...found,
    prizes: await prizesShown(ctx.tx, service_provider_id, id, { ...found, words, costs }),
    ...(await peopleOf(ctx.tx, service_provider_id, id)),
    proofUrl: proofUrl(ctx.services, id),
    mayDecide: waits && !own,
    mayDecideAlone: waits && own && (await mayAlone(ctx, made, found.budgetCents)),
    names: { stores: await storesOf(ctx, found.terms.storeIds) },
  };
});
async function storesOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.id = any(${[...ids]}::uuid[]) and ${inScope(scope, "s", "merchant")}`.execute(tx);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
type Shown = OutputOf<typeof getLottery>["prizes"];
/** The prizes of a lottery, as its rules say them and, once it was approved, as they stand. */
async function prizesShown(
  tx: Transaction,
  provider: string,
  id: string,
  { terms, words, costs }: Pick<More, "terms" | "words" | "costs">,
): Promise<Shown> {
  const { rows } = await sql<{
    place: number;
    stock: number;
    drawn: number;
    given: number;
    failed: number;
  }>`select p.place, p.stock, p.drawn,
      (count(w.id) filter (where w.status = 1))::int as given, (count(w.id) filter (where w.status in (2, 3)))::int as failed
    from lottery_prizes p left join lottery_wins w on w.service_provider_id = p.service_provider_id and w.lottery_id = p.lottery_id and w.place = p.place
    where p.service_provider_id = ${provider} and p.lottery_id = ${id} group by p.place, p.stock, p.drawn`.execute(tx);
  return terms.prizes.map(({ name, kind, chance, stock }, at) => {
    const now = rows.find(({ place }) => place === at + 1) ?? { stock, drawn: 0, given: 0, failed: 0 };
    return { name, kind, chance, words: words[at]!, valueCents: costs[at] as never, ...now, place: at + 1 };
  });
}
async function peopleOf(tx: Transaction, provider: string, id: string): Promise<{ people: number; waiting: number }> {
  const { rows } = await sql<{ people: number; waiting: number }>`select
      (select count(distinct d.person) from lottery_draws d where d.service_provider_id = ${provider} and d.lottery_id = ${id})::int as people,
      (select count(*) from lottery_wins w where w.service_provider_id = ${provider} and w.lottery_id = ${id} and w.kind = 'goods' and w.status = 0)::int as waiting`.execute(
    tx,
  );
  return rows[0]!;
}
