import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import type { getStoreDay } from "../../contract/index.ts";
import type { StoreDayColumn, StoreDayLine } from "../../contract/store-day-words.ts";

export type StoreDay = OutputOf<typeof getStoreDay>;
/** The columns as they stand on screen and paper; how often something went back stands behind the amount. */
export const SHOWN = [
  "count",
  "paidCents",
  "shopOffCents",
  "subsidyCents",
  "feeCents",
  "backCents",
  "incomeCents",
] as const satisfies readonly StoreDayColumn[];

const link = (path: string, query: Readonly<Record<string, string>>): string => `${path}?${new URLSearchParams(query).toString()}`;
export interface Where {
  readonly storeId: string;
  readonly day: string;
}
/** The address of one store's day. */
export const storeDayPath = ({ storeId, day }: Where): string => link("/reconciliation/bill", { view: "stores", storeId, day });

/** The rows that a figure of a line is made of. */
export function rowsOf({ storeId, day }: Where, { band, key }: Pick<StoreDayLine, "band" | "key">, column: StoreDayColumn): string {
  const days = { from: day, to: day, storeId };
  const back = column === "backCents" || column === "backCount";
  if (band === "own") {
    const [channel = "0", tool = "0"] = key.split("-");
    return back
      ? link("/dataCentre/payRefund", { dateOf: "finished", status: "2", ...days, channel, tool })
      : link("/dataCentre/payOrder", { dateOf: "paid", ...days, channel, tool });
  }
  if (band === "voucher") {
    return link("/dataCentre/groupBuy", { view: "entries", ...days, platform: key, part: back ? "reversed" : "used" });
  }
  return link("/dataCentre/takeaway", { view: "orders", dayOf: "completed", ...days, platform: key, part: back ? "refunded" : "counted" });
}
/** The screen that a band's rows stand on: whoever does not hold it sees the figure alone. */
export const SCREEN_OF = { own: "/dataCentre/payOrder", voucher: "/dataCentre/groupBuy", takeaway: "/dataCentre/takeaway" } as const;

interface Way {
  readonly item: string;
  readonly path: string;
  readonly words: string;
}
/** Platforms whose stores are mapped by hand. */
const MAPPED: readonly string[] = ["dy", "ks", "meituan", "ele", "meituan-wm"];
function wayOfOrders(kind: "unmapped" | "unfetched" | "running", source: string, { storeId, day }: Where): Way {
  switch (kind) {
    case "unmapped":
      // Stores of the others stand in their sheets alone: these are taken in again, with 门店.
      return MAPPED.includes(source)
        ? { item: "/store/other", path: link("/store/other", { state: "waiting" }), words: "去映射" }
        : {
            item: "/dataCentre/takeaway",
            path: link("/dataCentre/takeaway", {
              view: "orders",
              dayOf: "completed",
              from: day,
              to: day,
              platform: source,
              mapped: "none",
            }),
            words: "看订单",
          };
    case "unfetched":
      return { item: "/dataCentre/takeaway/account", path: link("/dataCentre/takeaway", { panel: "unfetched:new" }), words: "再取一次" };
    case "running":
      return {
        item: "/dataCentre/takeaway",
        path: link("/dataCentre/takeaway", {
          view: "orders",
          dayOf: "placed",
          from: addDays(day, -1),
          to: day,
          storeId,
          platform: source,
          status: "1",
        }),
        words: "看订单",
      };
  }
}
/** Where what hinders is dealt with: the item that one has to hold, and the address. */
export function wayOf(
  { kind, source, dayId }: { readonly kind: string; readonly source: string; readonly dayId: string | null },
  { storeId, day }: Where,
): Way | undefined {
  switch (kind) {
    case "attempt":
      return {
        item: `/plat-${source}/coupon`,
        path: link(`/plat-${source}/coupon`, { show: "list", storeId, from: "", to: "" }),
        words: "去核对",
      };
    case "refund":
      return {
        item: "/dataCentre/payRefund",
        path: link("/dataCentre/payRefund", { status: "1", storeId, from: "", to: "" }),
        words: "看退款",
      };
    case "payment":
      return {
        item: "/dataCentre/payOrder",
        path: link("/dataCentre/payOrder", { status: "0", storeId, from: "", to: "" }),
        words: "看订单",
      };
    case "difference":
    case "stray":
      return {
        item: "/reconciliation/bill/resolve",
        path: link("/reconciliation/bill", { view: "differences", from: "", to: "", status: "", dayId: dayId ?? "" }),
        words: "去处理",
      };
    case "unmapped":
    case "unfetched":
    case "running":
      return wayOfOrders(kind, source, { storeId, day });
    case "bill":
      return dayId === null
        ? source === "wechat" || source === "alipay" || source.startsWith("acquirer-")
          ? { item: "/reconciliation/bill/import", path: link("/reconciliation/bill", { panel: `bills:${day}` }), words: "获取或上传" }
          : undefined
        : { item: "/reconciliation/bill/import", path: link("/reconciliation/bill", { source, from: day, to: day }), words: "看账单" };
    case "paused":
      return { item: `/plat-${source}/goods`, path: link(`/plat-${source}/goods`, {}), words: "去启用" };
    case "red":
      return { item: "/invoice/merchant", path: link("/invoice/merchant", { view: "reds", from: day, to: day }), words: "看红冲" };
    case "invoice":
      return {
        item: "/invoice/merchant",
        path: link("/invoice/merchant", { view: "invoices", from: day, to: day, storeId }),
        words: "看发票",
      };
    default:
      return undefined;
  }
}
