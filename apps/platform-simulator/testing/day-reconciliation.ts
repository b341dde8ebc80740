import { expect } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { getStoreDay, unexplained } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { reconciliation } from "@zhangfang/domains/reconciliation/server/index.ts";
import type { DayWorld } from "./day-world.ts";

/** One fact that is kept of a voucher's use; a line of a bill has `goods`, `total` and `fee`. */
interface Fact {
  readonly kind: "verify" | "external" | "reverse" | "ledger";
  readonly key: string;
  readonly day: string;
  readonly store: string | null;
  readonly pay: number;
  readonly shop_off: number;
  readonly ticket: number;
  readonly expected: number;
  readonly goods: number;
  readonly total: number;
  readonly fee: number;
  readonly at: number;
}
/** What the platform has on record of a use. */
interface There {
  readonly key: string;
  readonly day: string;
  readonly pay: number;
  readonly reversed: boolean;
  readonly back_on: string | null;
  readonly asked: number;
}
interface Bill {
  readonly day: string;
  readonly whole: boolean;
  readonly came: boolean;
  readonly told: boolean;
}
interface Facts {
  readonly all: readonly Fact[];
  readonly there: readonly There[];
  readonly bills: readonly Bill[];
}
async function readFacts({ owner }: DayWorld): Promise<Facts> {
  return {
    all: await owner<Fact>(`select kind, certificate_id || ':' || verify_id as key, day::text as day, store_id as store, pay_cents::int as pay,
        merchant_ticket_cents::int as shop_off, platform_ticket_cents::int as ticket, expected_fee_cents::int as expected, goods_cents::int as goods, total_cents::int as total,
        (fee_cents + talent_cents + agency_cents + provider_cents + platform_fee_cents + operator_cents)::int as fee,
        (extract(epoch from happened_at) * 1000)::float8 as at from platform_entries`),
    there:
      await owner<There>(`select w.certificate_id || ':' || w.verify_id as key, w.day::text as day, w.pay_cents::int as pay, w.reversed,
        (w.reversed_at at time zone 'Asia/Shanghai')::date::text as back_on, (extract(epoch from b.uses_taken_at) * 1000)::float8 as asked
      from platform_day_uses w join platform_bill_days b on b.account_id = w.account_id and b.day = w.day`),
    bills: await owner<Bill>("select day::text as day, whole, came, uses_taken_at is not null as told from platform_bill_days"),
  };
}
const isUse = ({ kind }: Fact): boolean => kind === "verify" || kind === "external";
const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);
const near = (day: string, from: number, to: number) => (other: string) => other >= addDays(day, from) && other <= addDays(day, to);
/** A merchant that set no tolerance has one cent; a line that pays ten less than the customer did is half of a use's. */
const [TOLERANCE, SHORT] = [1, 10];

/** A day of the platform with what is kept of it and of the days beside it. */
interface Look extends Facts {
  readonly day: string;
  /** Eight days are over. */
  readonly due: boolean;
  /** The platform's record of the day is there, and its bill came whole. */
  readonly told: boolean;
  readonly whole: boolean;
}
const isBeside = ({ day }: Look) => near(day, -1, 1);
const usesOf = ({ all }: Look, key: string): readonly Fact[] => all.filter((one) => isUse(one) && one.key === key);
const backOf = ({ all, day }: Look, key: string): Fact | undefined =>
  all.find((one) => one.kind === "reverse" && one.key === key && near(day, -8, 31)(one.day));

/** Uses that one side lacks, or that cost something else there. */
function judgeUses(look: Look): string[] {
  const { all, there, day, told } = look;
  const beside = isBeside(look);
  const theirs = there
    .filter((one) => one.day === day)
    .map(({ key, pay }) => {
      const use = usesOf(look, key).find((own) => beside(own.day));
      if (!use || (use.kind === "external" && use.store === null)) return `3 channel-only ${key}`;
      return use.pay === pay ? "" : `3 amount ${key}`;
    });
  const ours = all
    .filter((one) => told && isUse(one) && one.day === day && !there.some(({ key, day: other }) => key === one.key && beside(other)))
    .map(({ key }) => `3 ours-only ${key}`);
  return [...theirs, ...ours].filter((one) => one !== "");
}
/** What was taken back on the day there, and here; what only one side took back. */
function judgeBacks(look: Look) {
  const { all, day } = look;
  const known = look.there.filter((one) => isBeside(look)(one.day) || (one.reversed && near(day, -8, 0)(one.day)));
  const there = known.filter((one) => one.reversed && (one.back_on ?? backOf(look, one.key)?.day ?? one.day) === day);
  const here = all.filter((one) => one.kind === "reverse" && one.day === day);
  const alone = [
    ...there.filter(({ key }) => !backOf(look, key)),
    ...here.filter(({ key, at }) => known.some((one) => one.key === key && !one.reversed && one.asked > at)),
  ];
  return { there, here, found: alone.map(({ key }) => `4 status ${key}`) };
}
/** What bills say of a use: nothing yet, what is wrong with it, or by how much the fee is another than expected. */
function judgeLines(look: Look, { key, pay, expected }: Fact): { readonly waits?: true; readonly class?: string; readonly more?: number } {
  const lines = look.all.filter((one) => one.kind === "ledger" && one.key === key && isBeside(look)(one.day));
  const back = backOf(look, key) !== undefined;
  const waits = !back && !look.due;
  if (lines.length === 0) return waits ? { waits } : back ? {} : { class: "ours-only" };
  const [goods, total, fee] = [sum(lines, (one) => one.goods), sum(lines, (one) => one.total), sum(lines, (one) => one.fee)];
  if (back) return goods === 0 ? {} : { class: "status" };
  const short = goods + fee < pay - SHORT && total - fee === goods;
  if (waits && (short || !look.whole)) return { waits };
  if (total - fee !== goods) return { class: "uneven" };
  if (short) return { class: "amount" };
  return expected > 0 && Math.abs(fee - expected) > TOLERANCE ? { class: "fee", more: fee - expected } : {};
}
/** A day of the platform looked at use by use, as docs/platforms.md says it: the differences by kind, class and number, and the figures. */
function judge(facts: Facts, day: string, today: string) {
  const { all, there, bills } = facts;
  const bill = bills.find((one) => one.day === day);
  const due = today >= addDays(day, 8);
  const told = bill?.told === true;
  const look = { ...facts, day, due, told, whole: told && (bill.whole || (due && bill.came)) };
  const uses = all.filter((one) => isUse(one) && one.day === day);
  const theirs = there.filter((one) => one.day === day);
  const lines = all.filter((one) => one.kind === "ledger" && one.day === day);
  const unlike = judgeUses(look);
  const backs = judgeBacks(look);
  const paid = uses.map((use) => ({ key: use.key, ...judgeLines(look, use) }));
  const strange = [...new Set(lines.map(({ key }) => key))].filter((key) => usesOf(look, key).length === 0);
  const found = [
    ...unlike,
    ...backs.found,
    ...paid.flatMap((one) => (one.class === undefined ? [] : [`5 ${one.class} ${one.key}`])),
    ...strange.map((key) => `5 channel-only ${key}`),
  ];
  return {
    found: found.toSorted(),
    fees: new Map(paid.flatMap(({ key, more }) => (more === undefined ? [] : [[key, more] as const]))),
    figures: {
      ours: [uses.length, sum(uses, (one) => one.pay)],
      ours_back: [backs.here.length, sum(backs.here, (one) => one.pay)],
      bill: [theirs.length, sum(theirs, (one) => one.pay)],
      bill_back: [backs.there.length, sum(backs.there, (one) => one.pay)],
      matched: theirs.filter(({ key }) => !unlike.some((one) => one.endsWith(` ${key}`) && !one.startsWith("3 ours-only"))).length,
      settled: sum(lines, (one) => one.goods),
      pending: paid.filter(({ waits }) => waits).length,
      open: found.length,
    },
  };
}

/**
 * Takes the platform's record and bill of a day anew and matches it: each fact is matched once or told as one difference, and the figures are
 * their sums. @returns by how much the fee of a use is another than expected, where it differs
 */
export async function reconcile(world: DayWorld, day: string): Promise<ReadonlyMap<string, number>> {
  const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
  const retake = reconciliation.jobs.find(({ name }) => name === "retake-platform-day")!;
  await retake.run(world.services, { service_provider_id, merchant_id, source: "dy", day } as never);
  const judged = judge(await readFacts(world), day, shanghaiDay(world.services.clock.now_ms()));
  const [row] = await world.owner<Record<string, number>>(
    `select ours_pay_count, ours_pay_cents::int as ours_pay_cents, ours_refund_count, ours_refund_cents::int as ours_refund_cents, bill_pay_count,
      bill_pay_cents::int as bill_pay_cents, bill_refund_count, bill_refund_cents::int as bill_refund_cents, matched_count, settled_cents::int as settled_cents,
      pending_count, open_count from recon_days where merchant_id = $1 and source = 'dy' and day = $2::date`,
    [merchant_id, day],
  );
  expect([day, figuresOf(row!)]).toEqual([day, judged.figures]);
  const open = await world.owner<{ what: string }>(
    `select kind || ' ' || class || ' ' || number as what from recon_differences where merchant_id = $1 and source = 'dy' and day = $2::date and status <> 'resolved'`,
    [merchant_id, day],
  );
  expect([day, open.map(({ what }) => what).toSorted()]).toEqual([day, judged.found]);
  return judged.fees;
}
const figuresOf = (row: Readonly<Record<string, number>>) => ({
  ours: [row["ours_pay_count"], row["ours_pay_cents"]],
  ours_back: [row["ours_refund_count"], row["ours_refund_cents"]],
  bill: [row["bill_pay_count"], row["bill_pay_cents"]],
  bill_back: [row["bill_refund_count"], row["bill_refund_cents"]],
  matched: row["matched_count"],
  settled: row["settled_cents"],
  pending: row["pending_count"],
  open: row["open_count"],
});

const route = reconciliation.routes.find(({ endpoint }) => endpoint === getStoreDay)!;
/** 门店日: each figure is the sum of the facts of the store and the day. */
export async function lookAtStoreDay(world: DayWorld, day: string): Promise<void> {
  const store = world.store.id;
  const { figures } = (await world.ask("mch01", route, { storeId: store, day })) as {
    figures: { lines: (Record<string, number> & { band: string; key: string })[] };
  };
  const { all, bills } = await readFacts(world);
  const own = all.filter((one) => one.day === day && one.store === store);
  const [uses, backs] = [own.filter(isUse), own.filter(({ kind }) => kind === "reverse")];
  const net = (of: (one: Fact) => number): number => sum(uses, of) - sum(backs, of);
  const linesOf = (key: string) => all.filter((one) => one.kind === "ledger" && one.key === key);
  // Of a use that stands in a whole bill counts what that pays, of the rest what is expected.
  const billed = uses.filter(({ key, pay }) => {
    const lines = linesOf(key);
    const whole = lines.every((line) => bills.find((bill) => bill.day === line.day)?.whole === true);
    const taken_back = all.some((one) => one.kind === "reverse" && one.key === key);
    return !taken_back && lines.length > 0 && whole && sum(lines, (line) => line.goods + line.fee) + SHORT >= pay;
  });
  const income = (one: Fact): number => one.pay + one.ticket - one.expected;
  const settled = sum(billed, ({ key }) => sum(linesOf(key), (line) => line.goods));
  const shown = figures.lines.find(({ band, key }) => band === "voucher" && key === "dy");
  const should = {
    count: uses.length,
    paidCents: sum(uses, (one) => one.pay),
    shopOffCents: net((one) => one.shop_off),
    subsidyCents: net((one) => one.ticket),
    feeCents: net((one) => one.expected) + sum(billed, ({ key, expected }) => sum(linesOf(key), (line) => line.fee) - expected),
    backCount: backs.length,
    backCents: sum(backs, (one) => one.pay),
    incomeCents: net(income) - sum(billed, income) + settled,
    settledCents: settled,
  };
  if (shown) expect([day, shown]).toMatchObject([day, should]);
  else expect([day, uses.length + backs.length]).toEqual([day, 0]);
  await lookAtOwn(
    world,
    day,
    figures.lines.filter(({ band }) => band === "own"),
  );
}
/** What was paid here, and what went back of it, on their days. */
async function lookAtOwn(world: DayWorld, day: string, lines: readonly Record<string, number>[]): Promise<void> {
  const [money] = await world.owner<{ paid: number; back: number }>(
    `select (select coalesce(sum(paid_cents), 0)::int from pay_orders where store_id = $1 and status in (2, 3) and (paid_at at time zone 'Asia/Shanghai')::date = $2::date) as paid,
      (select coalesce(sum(amount_cents), 0)::int from refunds where store_id = $1 and status = 2 and (finished_at at time zone 'Asia/Shanghai')::date = $2::date) as back`,
    [world.store.id, day],
  );
  const total = (column: string): number => sum(lines, (line) => line[column]!);
  expect([day, total("paidCents"), total("backCents")]).toEqual([day, money!.paid, money!.back]);
  expect(sum(lines, (line) => unexplained(line as never))).toBe(0);
}
/** The days of which anything is kept. */
export const daysWithFacts = async ({ owner }: DayWorld): Promise<string[]> =>
  (await owner<{ day: string }>("select distinct day::text as day from platform_entries order by 1")).map(({ day }) => day);
