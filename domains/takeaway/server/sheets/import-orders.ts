import { z } from "zod";
import { sql } from "kysely";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { line } from "@zhangfang/contract/fields.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type TakeawayPlatform, takeawayPlatform, type TakeawayStatus } from "../../contract/index.ts";
import { keepOrder } from "../orders/keep-order.ts";
import type { TakeawayOrder } from "../platforms/door.ts";
import { partsOf } from "../platforms/unverified.ts";
import {
  closedDays,
  dayIsClosed,
  maybeSizeCell,
  momentCell,
  signedYuanCell,
  sizeCell,
  storesNamed,
  wholeMerchant,
  wordCell,
  yuanCell,
} from "./read-cells.ts";

const money = (key: string, label: string, also: readonly string[], more: Partial<ImportColumn> = {}): ImportColumn => ({
  key,
  label,
  also,
  example: "0.00",
  width: 12,
  ...more,
});
const COLUMNS: readonly ImportColumn[] = [
  { key: "platform", label: "平台", required: true, example: "饿了么", help: "饿了么、美团外卖、淘宝闪购、京东秒送或其他外卖", width: 12 },
  {
    key: "platformOrderId",
    label: "平台订单号",
    also: ["订单号", "订单编号", "订单ID"],
    required: true,
    unique: true,
    identifies: true,
    example: "8001234567890123",
    width: 24,
  },
  {
    key: "status",
    label: "订单状态",
    also: ["状态"],
    required: true,
    example: "已完成",
    help: "已完成、已取消或进行中，及各平台的同义词；别的不收。表里错写成已取消的，写「更正为已完成」",
    width: 12,
  },
  { key: "placedAt", label: "下单时间", also: ["创建时间"], required: true, example: "2026-11-20 12:30:00", width: 20 },
  { key: "completedAt", label: "完成时间", also: ["订单完成时间"], example: "2026-11-20 13:05:00", width: 20 },
  {
    key: "store",
    label: "门店",
    also: ["门店编号", "门店名称", "商户名称"],
    example: "6123456789",
    help: "本店的门店编号或名称；留空按平台门店编号找映射",
    width: 20,
  },
  { key: "platformStoreId", label: "平台门店编号", also: ["平台门店ID", "店铺ID"], example: "91000001", width: 20 },
  { key: "dayNo", label: "当日编号", also: ["流水号", "订单流水号"], example: "12", width: 10 },
  money("originalCents", "原价", ["订单原价", "商品原价"], { required: true, example: "42.00" }),
  money("packageCents", "餐盒费", ["包装费", "打包费"]),
  money("deliveryCents", "配送费", []),
  money("shopOffCents", "商家活动", ["商家补贴", "商家承担优惠", "商家活动支出"]),
  money("platformOffCents", "平台活动", ["平台补贴", "平台承担优惠"]),
  money("paidCents", "用户实付", ["顾客实付", "实付金额"], { required: true, example: "37.00" }),
  money("feeCents", "服务费", ["平台服务费", "佣金", "技术服务费"]),
  money("incomeCents", "预计收入", ["商家应收", "商家实收", "结算金额"], { required: true, example: "30.00" }),
  money("refundCents", "退款", ["退款金额"]),
  money("shopRefundCents", "商家承担退款", [], { help: "退款里商家出的；留空就是全部退款" }),
];
/** Words of the platforms' sheets, to the letter. A refund is no state: 已退款 may be of an order that counts or of none, which a person says. */
const STATUS = {
  1: ["进行中", "待接单", "待商家接单", "已接单", "商家已接单", "备餐中", "制作中", "待取餐", "待配送", "骑手已接单", "配送中", "未完成"],
  2: ["已完成", "完成", "订单完成", "订单已完成", "交易完成", "交易成功", "已送达", "已完结", "已结算"],
  3: ["已取消", "取消", "订单取消", "订单已取消", "交易取消", "交易关闭", "已关闭", "无效", "无效订单"],
  // Nobody's sheet says it by itself: a person takes the sheet's own 已取消 back.
  mended: ["更正为已完成"],
} as const;
const row = z.object({
  platform: z
    .string()
    .transform((name) => takeawayPlatform.options.find(({ label, value }) => label === name || value === name)?.value)
    .refine((found) => found !== undefined, "平台为饿了么、美团外卖、淘宝闪购、京东秒送或其他外卖"),
  platformOrderId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "订单号只能有字母、数字、- 和 _"),
  status: wordCell("订单状态", STATUS),
  placedAt: momentCell,
  completedAt: momentCell.optional(),
  store: line(64).optional(),
  platformStoreId: line(64).optional(),
  dayNo: line(16).optional(),
  originalCents: yuanCell,
  packageCents: yuanCell,
  deliveryCents: yuanCell,
  shopOffCents: sizeCell,
  platformOffCents: sizeCell,
  paidCents: yuanCell,
  feeCents: maybeSizeCell,
  // What the platform takes may be more than what it pays.
  incomeCents: signedYuanCell.transform((cents) => cents ?? 0),
  refundCents: sizeCell,
  shopRefundCents: maybeSizeCell,
});
type Row = z.output<typeof row>;
interface Value {
  readonly platform: TakeawayPlatform;
  readonly store_id: string | null | undefined;
  readonly order: TakeawayOrder;
  readonly mends: boolean;
}

/** 外卖订单 of a platform from its own sheet; the whole merchant's. What the interface brought is right, and a sheet changes none of it. */
export const takeawayImport: ImportSource<typeof row, Value> = {
  name: "takeaway-orders",
  title: "外卖订单",
  unit: "单",
  access: "/dataCentre/takeaway/import",
  screen: "/dataCentre/takeaway",
  columns: () => COLUMNS,
  ownSheets: { column: "platform", of: takeawayPlatform.options.map(({ label }) => label) },
  row,
  titleKey: "platformOrderId",
  check: checkRows,
  async create(author, tx, { platform, store_id, order, mends }) {
    const of = { ...wholeMerchant(author.scope), platform };
    const { id, changed } = await keepOrder(tx, author.services, of, {
      ...order,
      source: "sheet",
      mends,
      ...(store_id !== undefined && { store_id }),
    });
    if (!changed) throw conflict("这一单刚有更新的消息，没有改动，请重新核对");
    const after = { platform, order: order.platform_order_id, ...(mends && { mended: "completed" }) };
    await author.audit(tx, { targetKind: "takeaway-order", targetId: id, after });
    return id;
  },
};

function orderOf(given: Row): TakeawayOrder {
  const status = (given.status === "mended" ? 2 : Number(given.status)) as TakeawayStatus;
  const completed_at = status === 2 ? (given.completedAt ?? given.placedAt) : null;
  const {
    originalCents: original,
    packageCents: packaging,
    deliveryCents: delivery,
    shopOffCents: shopOff,
    feeCents: fee,
    incomeCents: income,
  } = given;
  return {
    platform_order_id: given.platformOrderId,
    platform_store_id: given.platformStoreId ?? "",
    platform_store_name: "",
    day_no: given.dayNo ?? "",
    status,
    placed_at: given.placedAt,
    completed_at,
    changed_at: given.completedAt ?? given.placedAt,
    lines: [],
    original_cents: original,
    package_cents: packaging,
    delivery_cents: delivery,
    shop_off_cents: shopOff,
    platform_off_cents: given.platformOffCents,
    paid_cents: given.paidCents,
    fee_cents: fee ?? 0,
    income_cents: income,
    // A sheet without what the platform takes does not tell all parts.
    parts_cents: fee === null ? null : partsOf({ original, packaging, delivery, shopOff, fee, income }),
    refund_cents: given.refundCents,
    shop_refund_cents: given.shopRefundCents ?? given.refundCents,
  };
}

const KNOWN = [
  "status",
  "completed_at",
  "original_cents",
  "package_cents",
  "delivery_cents",
  "shop_off_cents",
  "platform_off_cents",
  "paid_cents",
  "fee_cents",
  "income_cents",
  "refund_cents",
  "shop_refund_cents",
] as const;
interface Known extends Pick<TakeawayOrder, (typeof KNOWN)[number]> {
  readonly platform: string;
  readonly platform_order_id: string;
  readonly store_id: string | null;
  readonly source: string;
}
async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<Value>[]> {
  const { service_provider_id, merchant_id } = wholeMerchant(scope);
  const storeOf = await storesNamed(
    tx,
    scope,
    rows.map(({ store }) => store),
  );
  const found =
    await sql<Known>`select o.platform, o.platform_order_id, o.source, o.store_id, ${sql.join(KNOWN.map((column) => sql.ref(`o.${column}`)))} from takeaway_orders o
    where o.service_provider_id = ${service_provider_id} and o.merchant_id = ${merchant_id}
      and o.platform_order_id = any(${rows.map(({ platformOrderId }) => platformOrderId)}::text[])`.execute(tx);
  const closed = await closedDays(
    tx,
    scope,
    [...rows.map(orderOf), ...found.rows].flatMap((one) => dayOf(one) ?? []),
  );
  return rows.map((given): Verdict<Value> => {
    const store = storeOf(given.store);
    if ("wrong" in store) return { errors: { store: store.wrong } };
    if (given.completedAt !== undefined && given.completedAt < given.placedAt) return { errors: { completedAt: "早于下单时间" } };
    if ((given.shopRefundCents ?? 0) > given.refundCents) return { errors: { shopRefundCents: "超过退款金额" } };
    const order = orderOf(given);
    const known = found.rows.find((one) => one.platform === given.platform && one.platform_order_id === given.platformOrderId);
    const value = {
      platform: given.platform!,
      store_id: given.store === undefined ? undefined : store.id,
      order,
      mends: given.status === "mended" && known?.status === 3,
    };
    const verdict = known === undefined ? { value } : againstKnown(known, value);
    const shut = "value" in verdict && [dayOf(order), known && dayOf(known)].find((day) => day && closed.has(`${given.platform}|${day}`));
    return shut ? { errors: { [given.completedAt === undefined ? "placedAt" : "completedAt"]: dayIsClosed(shut) } } : verdict;
  });
}
/** The day on which an order counts: none before it is completed. */
const dayOf = ({ status, completed_at }: Pick<Known, "status" | "completed_at">): string | undefined =>
  status === 2 && completed_at ? shanghaiDay(completed_at) : undefined;
/** An order that is there: the same is nothing to do, an interface's stays, a sheet's is changed by another sheet, so that a mistake can be mended. */
function againstKnown(known: Known, value: Value): Verdict<Value> {
  const { order, store_id, mends } = value;
  if (known.source === "platform") {
    const like =
      !mends &&
      known.status >= order.status &&
      known.income_cents === order.income_cents &&
      known.paid_cents === order.paid_cents &&
      known.refund_cents === order.refund_cents;
    return like ? { there: true } : { errors: { incomeCents: "平台接口已取到这一单，状态或金额与表里不同，以接口为准" } };
  }
  if (known.status > order.status && !mends)
    return {
      errors: {
        status: known.status === 3 && order.status === 2 ? "这一单已取消；取消是写错的，状态写「更正为已完成」" : "这一单已有更新的状态",
      },
    };
  const same = KNOWN.every((column) => known[column] === order[column]) && (known.store_id !== null || (store_id ?? null) === null);
  return same ? { there: true } : { value };
}
