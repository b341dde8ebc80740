import { sql } from "kysely";
import { splitCents, yuan } from "@zhangfang/contract/money.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { lessOthers, PREPAID_CODE, scaled, type Sold, sumOf } from "../rules/tax-rules.ts";

export interface OrderRef {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface InvoicedOrder {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly order_no: string;
  readonly subject: string;
  readonly purpose: number;
  readonly status: number;
  readonly paid_at: string | null;
  readonly paid_cents: number;
  readonly refunded_cents: number;
  readonly refunding_cents: number;
  /** Stored value spent: what its holder recharged, and what was given with it. */
  readonly principal_cents: number;
  readonly gift_cents: number;
  /** Whether what its vouchers' buyers paid their platform stands on its invoices. */
  readonly vouchers: boolean;
  /** 用户实付 of its vouchers, and of it what is not being taken back. */
  readonly voucher_cents: number;
  readonly voucher_sure_cents: number;
  /** What of it stands on living applications and invoices. */
  readonly alive_cents: number;
}
export interface Without {
  readonly name: string;
  readonly cents: number;
  readonly why: string;
}
/** What of an order can be invoiced. */
export interface Invoiceable {
  readonly order: InvoicedOrder;
  readonly subject: SubjectRow | undefined;
  /** Money that can stand on invoices at all: `moneyLeft`, of what has a tax code. */
  readonly cents: number;
  readonly lines: readonly Sold[];
  readonly without: readonly Without[];
}
export interface SubjectRow {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly tax_no: string;
  readonly name: string;
  readonly tax_code: string | null;
  readonly tax_rate: number | null;
  readonly tax_policy: number;
  readonly goods_name: string;
  readonly most_lines: number;
  readonly most_cents: number | null;
  readonly auto: boolean;
  readonly auto_limit_cents: number;
  readonly apply_days: number;
  readonly special: boolean;
  readonly vouchers: boolean;
  readonly state: string;
  readonly red_first: "never" | "organisation" | "always";
}
const SUBJECT = sql`t.service_provider_id, t.id, t.merchant_id, t.tax_no, t.name, t.tax_code, t.tax_rate, t.tax_policy, t.goods_name, t.most_lines, t.most_cents,
  t.auto, t.auto_limit_cents, t.apply_days, t.special, t.vouchers, t.state, t.red_first`;

/** Recharges are 预付卡: not taxed, and what is bought with the balance is not invoiced again (国家税务总局公告 2016 年第 53 号). */
const PREPAID = { name: "预付卡销售和充值", tax_code: PREPAID_CODE, tax_rate: 0, tax_policy: 2 };

/** What of an order `o` may stand on invoices once its refunds are out, of its invoice row `g`; with `sure` less what is on its way back. */
export const worthSql = (sure: boolean) => sql`(o.paid_cents - o.refunded_cents - ${sure ? sql`o.refunding_cents` : sql`0`}
  + case when g.vouchers and o.voucher_cents > 0 and o.paid_at is not null then app.voucher_worth(o.service_provider_id, o.id, ${sql.lit(sure)}) else 0 end)`;
/** The same of an order that was read: what was paid, here and where its vouchers were sold. */
export const moneyDone = (order: InvoicedOrder): number =>
  order.paid_cents - order.refunded_cents + (order.vouchers ? order.voucher_cents : 0);
export const moneyLeft = (order: InvoicedOrder): number =>
  Math.max(0, order.paid_cents - order.refunded_cents - order.refunding_cents + (order.vouchers ? order.voucher_sure_cents : 0));

/** An order, held to the end of the transaction: whoever refunds it waits. */
export async function holdOrder(tx: Transaction, { service_provider_id, id }: OrderRef): Promise<InvoicedOrder | undefined> {
  await sql`select o.id from pay_orders o where o.service_provider_id = ${service_provider_id} and o.id = ${id} for no key update`.execute(
    tx,
  );
  return readOrder(tx, { service_provider_id, id });
}
export async function readOrder(tx: Transaction, { service_provider_id, id }: OrderRef): Promise<InvoicedOrder | undefined> {
  const { rows } =
    await sql<InvoicedOrder>`select o.service_provider_id, o.id, o.merchant_id, o.store_id, o.order_no, o.subject, o.purpose, o.status, o.paid_at,
      case when o.paid_at is null then 0 else o.paid_cents end as paid_cents, o.refunded_cents, o.refunding_cents, o.principal_cents, o.gift_cents,
      coalesce(g.alive_cents, 0) as alive_cents, coalesce(g.vouchers, false) as vouchers,
      case when o.voucher_cents = 0 or o.paid_at is null then 0 else app.voucher_worth(o.service_provider_id, o.id, false) end as voucher_cents,
      case when o.voucher_cents = 0 or o.paid_at is null then 0 else app.voucher_worth(o.service_provider_id, o.id, true) end as voucher_sure_cents
    from pay_orders o left join invoice_orders g on g.service_provider_id = o.service_provider_id and g.order_id = o.id
    where o.service_provider_id = ${service_provider_id} and o.id = ${id}`.execute(tx);
  return rows[0];
}
/** Whose tax number stood over the store on the day of the payment. */
export async function subjectAt(
  tx: Transaction,
  { service_provider_id, store_id, paid_at }: Pick<InvoicedOrder, "service_provider_id" | "store_id" | "paid_at">,
): Promise<SubjectRow | undefined> {
  if (paid_at === null) return undefined;
  const { rows } = await sql<SubjectRow>`select ${SUBJECT} from tax_subject_stores x
    join tax_subjects t on t.service_provider_id = x.service_provider_id and t.id = x.subject_id
    where x.service_provider_id = ${service_provider_id} and x.store_id = ${store_id} and x.from_day <= ${shanghaiDay(Date.parse(paid_at))}::date
    order by x.from_day desc limit 1`.execute(tx);
  return rows[0];
}
export async function subjectById(tx: Transaction, service_provider_id: string, id: string): Promise<SubjectRow> {
  const { rows } =
    await sql<SubjectRow>`select ${SUBJECT} from tax_subjects t where t.service_provider_id = ${service_provider_id} and t.id = ${id}`.execute(
      tx,
    );
  return rows[0]!;
}

interface Line {
  readonly name: string;
  readonly units: number;
  /** What of them went back, or is on its way. */
  readonly gone: number;
  readonly net_cents: number;
  /** What each voucher that stands took off it, and what its buyer paid the platform for the whole of it. */
  readonly vouchers: readonly { readonly id: string; readonly pay_cents: number; readonly cents: number }[];
  readonly tax_code: string | null;
  readonly tax_rate: number | null;
  readonly tax_policy: number | null;
}
/** Code and rate: of the SKU as it was sold, else of its category, else of the merchant's trade, else of the subject. */
async function linesOf(tx: Transaction, order: InvoicedOrder, sure: boolean): Promise<readonly Line[]> {
  const { rows } = await sql<Line>`select l.name, l.units, l.net_cents,
      (select coalesce(sum(b.units), 0)::int from price_backs b join refunds f on f.service_provider_id = b.service_provider_id and f.id = b.refund_id
        where b.service_provider_id = l.service_provider_id and b.order_id = l.order_id and b.source = 'line' and b.ref = l.place::text
          and f.status in (0, 1, 2)) as gone,
      (select coalesce(json_agg(json_build_object('id', a.id, 'pay_cents', a.pay_cents, 'cents', y.cents) order by x.n), '[]'::json) from price_parts x
        join price_part_lines y on y.service_provider_id = x.service_provider_id and y.order_id = x.order_id and y.n = x.n and y.place = l.place
        join voucher_verifications a on a.service_provider_id = x.service_provider_id and a.id::text = x.ref and a.order_id = x.order_id
          and (a.status = 1 or a.status = 5 and not ${sure}::boolean)
        where x.service_provider_id = l.service_provider_id and x.order_id = l.order_id and x.source = 'voucher' and ${order.vouchers}::boolean) as vouchers,
      coalesce(l.tax_code, c.tax_code, r.tax_code) as tax_code,
      case when l.tax_code is not null then l.tax_rate else coalesce(c.tax_rate, r.tax_rate) end as tax_rate,
      case when l.tax_code is not null then coalesce(p.policy, 0) else coalesce(c.tax_policy, r.tax_policy) end as tax_policy
    from order_lines l
    join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id
    left join product_skus k on k.service_provider_id = l.service_provider_id and k.id = l.sku_id
    left join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    left join tax_rules c on c.service_provider_id = l.service_provider_id and c.merchant_id = l.merchant_id and c.kind = 'category' and c.name = p.category
    left join tax_rules r on r.service_provider_id = l.service_provider_id and r.merchant_id is null and r.kind = 'trade' and r.name = m.trade
    where l.service_provider_id = ${order.service_provider_id} and l.order_id = ${order.id} order by l.place`.execute(tx);
  return rows;
}
type Weighed = Pick<Line, "units" | "gone" | "net_cents" | "vouchers">;
/** So much of a line as its units that stayed make of all of them. */
const stayed = (cents: number, { units, gone }: Pick<Line, "units" | "gone">): number =>
  splitCents(
    cents,
    Array.from({ length: units }, () => 1),
  )
    .slice(gone)
    .reduce((sum, one) => sum + one, 0);
/** By what stayed where anything did, else by the whole. */
function shared(cents: number, left: readonly number[], whole: readonly number[]): number[] {
  const weights = left.some((one) => one > 0) ? left : whole;
  return weights.some((one) => one > 0) ? splitCents(cents, weights) : weights.map(() => 0);
}
/**
 * So much money over the lines: of each voucher what its buyer paid goes to the goods that it was used for, the rest, which was paid here, by
 * what the lines came to; where they came to nothing, by what vouchers bought.
 */
export function moneyOf(lines: readonly Weighed[], money: number): { readonly bought: number; readonly paid: number }[] {
  const over = (cents: number, weights: readonly number[]) =>
    shared(
      cents,
      weights.map((weight, at) => stayed(weight, lines[at]!)),
      weights,
    );
  const pays = new Map(lines.flatMap(({ vouchers }) => vouchers.map(({ id, pay_cents }) => [id, pay_cents] as const)));
  const bought = lines.map(() => 0);
  for (const [id, pay_cents] of pays) {
    const taken = lines.map(({ vouchers }) => vouchers.find((one) => one.id === id)?.cents ?? 0);
    for (const [at, cents] of over(pay_cents, taken).entries()) bought[at]! += cents;
  }
  const here = money - bought.reduce((sum, one) => sum + one, 0);
  const nets = lines.map(({ net_cents }) => net_cents);
  const rest = nets.some((one) => one > 0) ? over(here, nets) : shared(here, bought, bought);
  return rest.map((paid, at) => ({ bought: bought[at]!, paid }));
}
/** The trade's rule, for orders without lines. */
async function tradeRule(tx: Transaction, order: InvoicedOrder) {
  const { rows } = await sql<{ tax_code: string; tax_rate: number; tax_policy: number }>`select r.tax_code, r.tax_rate, r.tax_policy
    from merchants m join tax_rules r on r.service_provider_id = m.service_provider_id and r.merchant_id is null and r.kind = 'trade' and r.name = m.trade
    where m.service_provider_id = ${order.service_provider_id} and m.id = ${order.merchant_id}`.execute(tx);
  return rows[0];
}

/** What of an order can be invoiced, under whose number, and what not and why. */
export async function invoiceableOf(tx: Transaction, found: InvoicedOrder): Promise<Invoiceable> {
  const subject = await subjectAt(tx, found);
  const order = { ...found, vouchers: found.alive_cents > 0 ? found.vouchers : (subject?.vouchers ?? false) };
  const money = moneyLeft(order);
  const without: Without[] = [];
  const { principal_cents: own, gift_cents: gift } = order;
  if (own > 0) without.push({ name: "储值支付", cents: own, why: `储值本金付的 ${yuan(own)} 不在内，充值时已可开票` });
  if (gift > 0) without.push({ name: "储值赠送", cents: gift, why: `储值赠送抵的 ${yuan(gift)} 不在内，赠送没有收钱，不能开票` });
  if (order.voucher_sure_cents > 0 && !order.vouchers)
    without.push({
      name: "平台券",
      cents: order.voucher_sure_cents,
      why: `买券时付给平台的 ${yuan(order.voucher_sure_cents)} 不在内，请在买券的平台申请开票`,
    });
  const back = order.refunded_cents + order.refunding_cents;
  if (back > 0) without.push({ name: "退款", cents: back, why: `退了的 ${yuan(back)} 不在内` });
  const { lines, missing } = subject && money > 0 ? await soldOf(tx, order, subject, money) : { lines: [], missing: [] };
  return { order, subject, lines, cents: sumOf(lines), without: [...without, ...missing] };
}
async function soldOf(
  tx: Transaction,
  order: InvoicedOrder,
  subject: SubjectRow,
  money: number,
  sure = true,
): Promise<{ lines: Sold[]; missing: Without[] }> {
  const order_id = order.id;
  const whole = { order_id, units: null, total_cents: money };
  if (order.purpose === 1) return { lines: [{ ...whole, ...PREPAID }], missing: [] };
  const found = order.purpose === 0 ? await linesOf(tx, order, sure) : [];
  const sums = moneyOf(found, money);
  const own =
    subject.tax_code === null ? undefined : { tax_code: subject.tax_code, tax_rate: subject.tax_rate ?? 0, tax_policy: subject.tax_policy };
  if (sums.every(({ bought, paid }) => bought + paid === 0)) {
    const rule = (await tradeRule(tx, order)) ?? own;
    if (!rule) return { lines: [], missing: [{ name: order.subject, cents: money, why: "没有税收分类编码，不能开票" }] };
    return { lines: [{ ...whole, ...rule, name: subject.goods_name || order.subject }], missing: [] };
  }
  const lines: Sold[] = [];
  const missing: Without[] = [];
  for (const [at, line] of found.entries()) {
    const { bought, paid } = sums[at]!;
    const total_cents = bought + paid;
    if (total_cents === 0) continue;
    const rule =
      line.tax_code !== null && line.tax_rate !== null
        ? { tax_code: line.tax_code, tax_rate: line.tax_rate, tax_policy: line.tax_policy ?? 0 }
        : own;
    if (!rule) missing.push({ name: line.name, cents: total_cents, why: `「${line.name}」没有税收分类编码，不能开票` });
    else
      lines.push({
        order_id,
        name: line.name.slice(0, 90),
        units: line.units > line.gone && paid === stayed(line.net_cents, line) ? line.units - line.gone : null,
        total_cents,
        ...rule,
      });
  }
  return { lines, missing };
}
/**
 * What of so much money is of goods that have no code and stand on none of the order's invoices: it can't stand on any, and what was invoiced may
 * not stay for it. A code that was taken away since makes nothing of what was issued. `sure`: the money is without vouchers on their way back.
 */
export async function uncodedOf(tx: Transaction, order: InvoicedOrder, money: number, sure: boolean): Promise<number> {
  const subject = await subjectAt(tx, order);
  if (!subject || money <= 0 || order.alive_cents === 0) return 0;
  const { missing } = await soldOf(tx, order, subject, money, sure);
  if (missing.length === 0) return 0;
  const { rows } = await sql<{ name: string }>`select distinct l.name from invoice_lines l
    join invoices i on i.service_provider_id = l.service_provider_id and i.id = l.invoice_id
    where l.service_provider_id = ${order.service_provider_id} and l.order_id = ${order.id} and i.status not in (5, 7)`.execute(tx);
  const invoiced = new Set(rows.map(({ name }) => name));
  return missing.reduce((sum, { name, cents }) => sum + (invoiced.has(name.slice(0, 90)) ? 0 : cents), 0);
}
/** The lines of an order for so many cents of it. */
export async function linesFor(tx: Transaction, order: InvoicedOrder, subject: SubjectRow, cents: number): Promise<Sold[]> {
  const { lines } = await soldOf(tx, order, subject, moneyLeft(order));
  return scaled(lines, Math.min(cents, sumOf(lines)));
}
/** Its lines for so many cents, of what stands on none of its invoices. */
export async function linesLeft(tx: Transaction, order: InvoicedOrder, subject: SubjectRow, cents: number): Promise<Sold[]> {
  const { rows } =
    await sql<Sold>`select l.order_id, l.name, l.tax_code, l.tax_rate, l.tax_policy, l.units, l.total_cents from invoice_lines l
    join invoices i on i.service_provider_id = l.service_provider_id and i.id = l.invoice_id
    where l.service_provider_id = ${order.service_provider_id} and l.order_id = ${order.id} and i.status not in (5, 7)`.execute(tx);
  const left = lessOthers(await linesFor(tx, order, subject, moneyLeft(order)), rows);
  return scaled(left, Math.min(cents, sumOf(left)));
}
/** Why an order can't be applied for now; undefined where it can. */
export function closedFor({ order, subject, cents }: Invoiceable, now_ms: number): string | undefined {
  if (order.paid_at === null) return "订单还没有支付，支付后可以开票";
  if (!subject || subject.state !== "active") return "这家店还没有开通电子发票，请联系门店";
  if (shanghaiDay(now_ms) > lastDayOf(order, subject)) return `支付已超过 ${subject.apply_days} 天，不能开票`;
  if (moneyLeft(order) <= 0)
    return order.voucher_sure_cents > 0
      ? "这笔是用平台券付的，请在买券的平台申请开票"
      : order.principal_cents > 0
        ? "这笔是用储值付的，充值时已可开票"
        : order.gift_cents > 0
          ? "这笔是用储值赠送抵的，没有收钱，不能开票"
          : "订单的钱已经退了，没有可开的金额";
  return cents === 0 ? "商品没有税收分类编码，暂时不能开票，请联系门店" : undefined;
}
/** The last day in Shanghai on which a paid order can be applied for, the whole of it. */
export const lastDayOf = ({ paid_at }: Pick<InvoicedOrder, "paid_at">, { apply_days }: Pick<SubjectRow, "apply_days">): string =>
  addDays(shanghaiDay(Date.parse(paid_at ?? "")), apply_days);
