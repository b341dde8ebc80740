import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { OrderRow, VoucherWish } from "../../../orders/server/index.ts";
import type { Back } from "../../../pricing/server/index.ts";

/** A use of a platform's voucher that stands in an order. */
export interface OrderVoucher {
  readonly attempt_id: string;
  readonly voucher_id: string;
  readonly platform: "dy" | "ks";
  /** What people know it by: platform, goods and the last four digits. */
  readonly name: string;
  readonly off_cents: number;
  /** 1 stands, 5 is being taken back, 6 was taken back. */
  readonly status: 1 | 5 | 6;
  /** Until when its platform is still asked to take it back. */
  readonly until: string | null;
  /** Why it is not asked any more, or not yet. */
  readonly refusal: string | null;
  /** Another refund is to take it back. */
  readonly waits: boolean;
}
/** What a refund does with a voucher: 0 taken back first, 2 it can't be any more, 3 kept. */
export interface VoucherPlan {
  readonly attempt_id: string;
  readonly state: 0 | 2 | 3;
  readonly message: string;
}
const open = ({ name, status }: OrderVoucher): Refusal =>
  conflict(status === 5 ? `${name}正在撤销，等有结果再退款` : `${name}在另一笔退款里，等它有结果`, "voucher.open");
/**
 * What a refund does with each voucher of its order that stands. A voucher goes back whole or not at all. What is paid for by vouchers alone goes back
 * with all of them; otherwise they go back as they are named.
 * @param undecided another refund of it may come to nothing: what is left then is not sure, so none goes back that is not named
 * @throws 404 for one that is not the order's, 409 where it can't be taken back any more, 403 without the right
 */
export function planVouchers(
  order: Pick<OrderRow, "paid_cents" | "principal_cents" | "gift_cents">,
  all: readonly OrderVoucher[],
  { value_cents, whole }: Pick<Back, "value_cents" | "whole">,
  { vouchers, mayReverse }: VoucherWish,
  undecided = false,
): readonly VoucherPlan[] {
  const there = all.filter(({ status, waits }) => status === 1 && !waits);
  const busy = all.find(({ status, waits }) => status === 5 || (status === 1 && waits));
  if (vouchers?.some((id) => !there.some(({ attempt_id }) => attempt_id === id))) {
    if (busy && vouchers.includes(busy.attempt_id)) throw open(busy);
    throw notFound("平台券");
  }
  const free = order.paid_cents + order.principal_cents + order.gift_cents === 0;
  if (busy && (free || whole)) throw open(busy);
  const wanted =
    vouchers ??
    (whole && (free || !undecided) ? there.filter(({ refusal }) => free || refusal === null).map(({ attempt_id }) => attempt_id) : []);
  const back = there.filter(({ attempt_id }) => wanted.includes(attempt_id));
  const late = back.find(({ refusal }) => refusal !== null);
  if (late) throw conflict(`${late.name}：${late.refusal}`, "voucher.no-cancel");
  if (free && back.length < there.length) throw invalid("vouchers", "这单没有实付，平台券要全部撤销才能退");
  if (back.some(({ platform }) => !mayReverse(platform)))
    throw new Refusal(403, "forbidden", "这单有平台券，没有撤销平台券的权限，不能连券一起退");
  if (value_cents === 0 && back.length === 0 && !free) throw invalid("vouchers", "请选择要撤销的平台券");
  return there.flatMap(({ attempt_id, refusal }): VoucherPlan[] => {
    if (wanted.includes(attempt_id)) return [{ attempt_id, state: 0, message: "" }];
    if (!whole) return [];
    return [
      refusal === null
        ? { attempt_id, state: 3, message: vouchers || !undecided ? "没有选择撤销" : "另一笔退款没有结果" }
        : { attempt_id, state: 2, message: refusal },
    ];
  });
}
/**
 * What a refund that is sent again, or that the channel made after all, leaves of them: nobody chose, so they stay, and that is said.
 * @param late the channel made it already: nothing stops it
 * @throws 409 where another refund takes one of them back
 */
export function keepVouchers(all: readonly OrderVoucher[], { whole }: Pick<Back, "whole">, late: boolean): readonly VoucherPlan[] {
  if (!whole) return [];
  const busy = all.find(({ status, waits }) => status === 5 || (status === 1 && waits));
  if (busy && !late) throw open(busy);
  return all
    .filter(({ status }) => status !== 6)
    .map(({ attempt_id }) => ({ attempt_id, state: 3, message: late ? "退款失败后又到账，券没有撤销" : "重新退款，券没有撤销" }));
}
/** Whether vouchers go back before the money does. */
export const takesBack = (plans: readonly VoucherPlan[]): boolean => plans.some(({ state }) => state === 0);
