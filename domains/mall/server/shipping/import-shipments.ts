import { sql } from "kysely";
import { z } from "zod";
import { line } from "@zhangfang/contract/fields.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { carrier, shipMallOrder } from "../../contract/index.ts";
import { sendOff, type Shipment } from "./send-off.ts";

const NAMES = carrier.options.map(({ label }) => label);
const COLUMNS: readonly ImportColumn[] = [
  {
    key: "number",
    label: "商城单号",
    also: ["单号", "订单号", "支付单号"],
    required: true,
    unique: true,
    example: "M202611200001",
    help: "商城单号；多家门店有同一单号时填支付单号",
    width: 28,
  },
  { key: "carrier", label: "快递公司", also: ["物流公司", "快递"], required: true, example: "顺丰速运", help: NAMES.join("、"), width: 14 },
  { key: "trackingNo", label: "快递单号", also: ["物流单号", "运单号"], required: true, example: "SF1234567890", width: 24 },
];
/** What people and other shops' sheets write: the code, the name, or the beginning of the name. */
const carrierOf = (text: string): Shipment["carrier"] | undefined =>
  carrier.values.find(
    (code) => code === text.toUpperCase() || carrier.label(code) === text || carrier.label(code).slice(0, 2) === text.slice(0, 2),
  );

const row = z.object({
  number: line(64, 1, "请填写商城单号"),
  carrier: z
    .string({ error: "请填写快递公司" })
    .transform((text, context) => carrierOf(text.trim()) ?? (context.addIssue(`快递公司须为${NAMES.join("、")}之一`), z.NEVER)),
  trackingNo: shipMallOrder.input.shape.trackingNo,
});
type Row = z.output<typeof row>;
interface Known {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly mall_no: string;
  readonly order_no: string;
  readonly status: number;
  readonly carrier: Shipment["carrier"] | null;
  readonly tracking_no: string | null;
}
interface Value extends Omit<Shipment, "by" | "at"> {
  readonly own: Known;
}

/** 批量发货: which order went with whom under which number, from a sheet. What is sent already is left as it is. */
export const shipmentImport: ImportSource<typeof row, Value> = {
  name: "mall-shipments",
  title: "发货",
  unit: "单",
  access: "/reconciliation/pay/ship",
  screen: "/reconciliation/pay",
  columns: () => COLUMNS,
  row,
  titleKey: "number",
  async check(tx, scope, rows) {
    const known = await read(
      tx,
      scope,
      rows.map(({ number }) => number),
    );
    const taken = new Set<string>();
    return rows.map((given) => judge(given, known, taken));
  },
  async create(author, tx, { own, ...shipment }) {
    mustChange(await sendOff(tx, own, { ...shipment, by: askerOf(author).name, at: author.now }, [1]), () =>
      conflict("订单已不在待发货状态"),
    );
    await author.audit(tx, {
      targetKind: "mall_order",
      targetId: own.id,
      provider: own.service_provider_id,
      merchant: own.merchant_id,
      before: { status: own.status },
      after: { mallNo: own.mall_no, status: 2, ...shipment },
    });
    return own.id;
  },
};

async function read(tx: Transaction, scope: Scope, numbers: readonly string[]): Promise<readonly Known[]> {
  const { rows } = await sql<Known>`
    select x.service_provider_id, x.merchant_id, x.id, x.mall_no, o.order_no, x.status, x.carrier, x.tracking_no
    from mall_orders x join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
    where (x.mall_no = any(${numbers}::text[]) or o.order_no = any(${numbers}::text[])) and ${inScope(scope, "x", "store")}`.execute(tx);
  return rows;
}
/** @param taken orders that a line before this one sends */
function judge({ number, carrier: by, trackingNo }: Row, known: readonly Known[], taken: Set<string>): Verdict<Value> {
  const found = known.filter(({ mall_no, order_no }) => order_no === number || mall_no === number);
  const own = found[0];
  if (!own) return { errors: { number: "没有这个商城订单" } };
  if (found.length > 1) return { errors: { number: "多家门店有这个单号，请填支付单号" } };
  if (own.status === 0) return { errors: { number: "订单还没有付款" } };
  if (own.status === 4) return { errors: { number: "订单已关闭" } };
  if (own.status !== 1) {
    // The same sheet again sends nothing twice; another number is a correction, which is made in the order itself.
    if (own.carrier === by && own.tracking_no === trackingNo) return { there: true };
    return { errors: { trackingNo: `已发货（${own.carrier && carrier.label(own.carrier)} ${own.tracking_no}），修改请在订单里操作` } };
  }
  if (taken.has(own.id)) return { errors: { number: "表里有两行是同一个订单" } };
  taken.add(own.id);
  return { value: { own, carrier: by, trackingNo } };
}
