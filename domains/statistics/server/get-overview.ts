import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { getOverview, type Span } from "../contract/index.ts";
import { payDrill, refundDrill } from "./drills.ts";
import { figuresOf, within, type DaySums } from "./takings/figures.ts";
import { readRanking } from "./rankings/read-ranking.ts";
import { readDays, readHours, readShares } from "./takings/read-takings.ts";
import { channelShares, walletShares } from "./shares.ts";
import { daysOf, previousSpan, weekAgoSpan } from "./spans.ts";

const LINE_DAYS = 30;
const LEVELS: readonly string[] = ["SP", "MCH", "AE"];

/** The home of a provider, a merchant and a store: yesterday unless asked otherwise, because it is the last whole day. */
export const getOverviewRoute: Route = implement(getOverview, async (ctx, input) => {
  if (!LEVELS.includes(ctx.scope.level)) throw forbidden();
  const yesterday = addDays(shanghaiDay(ctx.now_ms), -1);
  const span: Span = { from: input.from ?? yesterday, to: input.to ?? yesterday };
  const before = { previous: previousSpan(span), weekAgo: weekAgoSpan(span) };
  const line: Span = { from: addDays(span.to, 1 - LINE_DAYS), to: span.to };
  const compareDay = input.compareDay ?? addDays(span.to, -1);
  const first = [before.previous.from, before.weekAgo.from, line.from].toSorted()[0] ?? span.from;

  const days = await readDays(ctx.tx, ctx.scope, { from: first, to: span.to });
  const hours = await readHours(ctx.tx, ctx.scope, [span.to, compareDay]);
  const shares = await readShares(ctx.tx, ctx.scope, span);
  return {
    asOf: ctx.now,
    span,
    current: figuresOf(within(days, span)),
    previous: figuresOf(within(days, before.previous)),
    previousSpan: before.previous,
    weekAgo: figuresOf(within(days, before.weekAgo)),
    weekAgoSpan: before.weekAgo,
    drill: { pay: payDrill(span), refund: refundDrill(span) },
    line: daysOf(line).map((day) => {
      const { payCount, paidCents, refundCents, netCents } = figuresOf(within(days, { from: day, to: day }));
      return { day, payCount, paidCents, refundCents, netCents, drill: payDrill({ from: day, to: day }) };
    }),
    hourly: { day: span.to, compareDay, hours: curve(hours, span.to, compareDay) },
    wallets: walletShares(shares, (own) => payDrill(span, own)),
    channels: channelShares(shares, (own) => payDrill(span, own)),
    ranking: await readRanking(ctx.tx, ctx.scope, span),
  };
});

function curve(rows: readonly (DaySums & { readonly hour: number })[], day: string, compareDay: string) {
  return Array.from({ length: 24 }, (_none, hour) => {
    const of = (given: string) => rows.find((row) => row.day === given && row.hour === hour);
    const [own, compared] = [of(day), of(compareDay)];
    return {
      hour,
      payCount: own?.pay_count ?? 0,
      paidCents: (own?.paid_cents ?? 0) as Cents,
      comparePayCount: compared?.pay_count ?? 0,
      comparePaidCents: (compared?.paid_cents ?? 0) as Cents,
    };
  });
}
