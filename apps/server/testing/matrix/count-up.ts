import type { CrashWorld } from "../crash-world.ts";
import type { KnownOrder, KnownRefund, Memory, TillOrder } from "../busy-tills.ts";

interface OrderRow {
  readonly store_id: string;
  readonly till_no: string;
  readonly order_no: string;
  readonly status: number;
  readonly gross_cents: number;
  readonly paid_cents: number;
  readonly refunded_cents: number;
  readonly refunding_cents: number;
  readonly channel_no: string | null;
  readonly paid_at: string | null;
  readonly audits: number;
}
interface RefundRow {
  readonly store_id: string;
  readonly request_id: string;
  readonly refund_no: string;
  readonly number: string;
  readonly status: number;
  readonly amount_cents: number;
  readonly order_no: string;
  readonly audits: number;
}
interface Book {
  readonly trades: readonly {
    readonly key: string;
    readonly outTradeNo: string;
    readonly total: number;
    readonly state: string;
    readonly transactionId: string | null;
  }[];
  readonly refunds: readonly { readonly tradeKey: string; readonly outRefundNo: string; readonly amount: number; readonly state: string }[];
}

/** Holds what clients were told, what the database says and what the channel did against each other. @returns what does not fit */
export async function countUp(world: CrashWorld, memory: Memory): Promise<string[]> {
  const orders = await world.owner<OrderRow>(`
    select store_id, till_no, order_no, status, gross_cents, paid_cents, refunded_cents, refunding_cents, channel_no, paid_at,
      (select count(*)::int from audit_log a where a.target_id = o.id::text and a.endpoint = '/api/till/orders') as audits from pay_orders o`);
  const refunds = await world.owner<RefundRow>(`
    select f.store_id, request_id, refund_no, refund_no || case when channel_try > 1 then '-' || channel_try else '' end as number, f.status, f.amount_cents, o.order_no,
      (select count(*)::int from audit_log a where a.target_id = f.id::text and a.target_kind = 'refund') as audits
    from refunds f join pay_orders o on o.service_provider_id = f.service_provider_id and o.id = f.order_id`);
  const book = (await world.simulator.control("GET book")) as Book;
  return [
    ...memory.seen.odd,
    ...[...memory.orders.values()].flatMap((known) => orderFaults(known, orders)),
    ...[...memory.refunds].flatMap(([requestId, known]) => refundFaults(requestId, known, refunds)),
    ...[...memory.exports].filter(([, ids]) => ids.size !== 1).map(([requestId]) => `export ${requestId} was made twice`),
    ...[...orders, ...refunds].filter(({ audits }) => audits !== 1).map((row) => `${row.audits} audit rows: ${JSON.stringify(row)}`),
    ...paymentFaults(orders, book),
    ...channelRefundFaults(refunds, book),
  ];
}

function orderFaults({ store, tillNo, cents, answers }: KnownOrder, rows: readonly OrderRow[]): string[] {
  const own = rows.filter((row) => row.store_id === store.id && row.till_no === tillNo);
  const [row] = own;
  if (own.length !== 1 || !row) return [`till number ${tillNo}: ${own.length} orders`];
  const wrong = answers.filter((answer) => !stillTrue(answer, row, cents));
  return wrong.map((answer) => `order ${tillNo} said ${JSON.stringify(answer)} and is ${JSON.stringify(row)}`);
}
// Whatever happened since, this was the state of the order that the row shows now.
function stillTrue(answer: TillOrder, row: OrderRow, cents: number): boolean {
  const same = answer.orderNo === row.order_no && answer.grossCents === cents && row.gross_cents === cents;
  const paid = answer.status === 2 || answer.status === 3;
  if (!paid) return same && (answer.status === 0 || row.status === 1);
  const payment = answer.paidCents === row.paid_cents && answer.channelNo === row.channel_no && answer.paidAt === row.paid_at;
  const refunded =
    answer.refundedCents <= row.refunded_cents && answer.refundedCents + answer.refundingCents <= row.refunded_cents + row.refunding_cents;
  return same && payment && refunded && row.status >= answer.status;
}

function refundFaults(requestId: string, { store, amountCents, numbers, refused }: KnownRefund, rows: readonly RefundRow[]): string[] {
  const own = rows.filter((row) => row.store_id === store.id && row.request_id === requestId);
  const [row] = own;
  if (refused !== undefined) return own.length + numbers.size > 0 ? [`refund ${requestId} was refused (${refused}) and made`] : [];
  if (own.length !== 1 || !row) return [`refund ${requestId}: ${own.length} rows`];
  const right = numbers.size === 1 && numbers.has(row.refund_no) && row.amount_cents === amountCents;
  return right ? [] : [`refund ${requestId} said ${[...numbers].join(" ")} ${amountCents} and is ${JSON.stringify(row)}`];
}

function paymentFaults(rows: readonly OrderRow[], { trades }: Book): string[] {
  const byNumber = new Map(trades.map((trade) => [trade.outTradeNo, trade]));
  const known = new Set(rows.map((row) => row.order_no));
  return [
    ...trades.filter(({ outTradeNo }) => !known.has(outTradeNo)).map(({ outTradeNo }) => `the channel alone knows ${outTradeNo}`),
    ...rows.flatMap((row) => {
      const trade = byNumber.get(row.order_no);
      const paidThere = trade?.state === "SUCCESS" || trade?.state === "REFUND";
      const paidHere = row.status === 2 || row.status === 3;
      const fits = paidThere === paidHere && (!trade || (trade.total === row.paid_cents && trade.transactionId === row.channel_no));
      return fits ? [] : [`payment here ${JSON.stringify(row)}, there ${JSON.stringify(trade)}`];
    }),
  ];
}

function channelRefundFaults(rows: readonly RefundRow[], { trades, refunds }: Book): string[] {
  const numbers = new Map(trades.map((trade) => [trade.key, trade.outTradeNo]));
  const here = rows.filter(({ status }) => status === 2).map((row) => `${row.order_no} ${row.number} ${row.amount_cents}`);
  const there = refunds
    .filter(({ state }) => state === "SUCCESS")
    .map((one) => `${numbers.get(one.tradeKey)} ${one.outRefundNo} ${one.amount}`);
  return [
    ...here.filter((one) => !there.includes(one)).map((one) => `refunded here alone: ${one}`),
    ...there.filter((one) => !here.includes(one)).map((one) => `refunded there alone: ${one}`),
  ];
}
