import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  day,
  done,
  flag,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  scopeFilter,
} from "@zhangfang/contract/fields.ts";
import { memberShown } from "../../members/contract/index.ts";
import { cardRefundReason, cardRefundStatus, cardRefundWay, lotOrigin } from "./codes.ts";

const access = "/dataCentre/cardRecharge";
const { serviceProviderId, merchantId, storeId } = scopeFilter;
export const cardRefundFilters = {
  serviceProviderId,
  merchantId,
  storeId,
  keyword: line(40).optional(),
  status: oneOf(cardRefundStatus).optional(),
  reason: oneOf(cardRefundReason).optional(),
  ...dateRange,
};
const row = z.object({
  id: z.string(),
  storeName: z.string(),
  ...memberShown,
  reason: oneOf(cardRefundReason),
  status: oneOf(cardRefundStatus),
  way: oneOf(cardRefundWay),
  orderNo: z.string().nullable(),
  principalCents: cents,
  giftCents: cents,
  usedCents: cents,
  paysCents: cents,
  forfeitedCents: cents,
  dueOn: day,
  note: z.string(),
  askedBy: z.string(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export const listCardRefunds = read({
  path: "/api/stored-value/card-refunds",
  title: "退卡记录",
  access,
  input: listInput(cardRefundFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseCardRefunds = read({
  path: "/api/stored-value/card-refunds/summary",
  title: "退卡汇总",
  access,
  input: z.object(cardRefundFilters),
  output: z.object({ count: z.int(), paysCents: cents, forfeitedCents: cents, byStatus: z.record(z.string(), z.int()) }),
});
export const getCardRefund = read({
  path: "/api/stored-value/card-refunds/:id",
  title: "退卡详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    rechargeId: z.string().nullable(),
    /** The name, masked, that the member had before it was changed in the last ninety days. */
    nameBefore: z.object({ name: z.string(), changedOn: day }).nullable(),
    heldPrincipalCents: cents,
    heldGiftCents: cents,
    points: z.int(),
    refundNo: z.string().nullable(),
    failure: z.string().nullable(),
    evidence: z.string().nullable(),
    provedBy: z.string().nullable(),
    decidedBy: z.string().nullable(),
    /** Nobody decides or confirms what they asked for themselves; only who asked takes it back. */
    mayDecide: z.boolean(),
    mayWithdraw: z.boolean(),
    mayConfirm: z.boolean(),
  }),
});

/** One legal sum, with its arithmetic and why it does not apply. */
const legalSum = z.object({
  reason: oneOf(cardRefundReason),
  paysCents: cents,
  /** What is taken off the principal, in words and cents. */
  lessCents: cents,
  less: z.string(),
  refusal: z.string().nullable(),
  /** It does not apply by law, and the merchant may grant it. */
  grantable: z.boolean(),
  /** Of the points that the recharge's order earned, by what was paid for it. */
  earnedBack: z.int(),
  dueOn: day,
});
const button = "/dataCentre/cardRecharge/refund";
/** A recharge, or a lot that none of ours brought: one of the two. */
const which = { rechargeId: id.optional(), lotId: id.optional() };
/** Value that no recharge of ours brought: what another member moved here, and what came from another system. Paid back offline alone. */
export const listOtherLots = read({
  path: "/api/stored-value/card-refunds/lots",
  title: "转来和导入的余额",
  access,
  input: listInput({ serviceProviderId, merchantId, storeId, keyword: line(40).optional(), origin: oneOf(lotOrigin).optional() }, [
    "-createdAt",
  ]),
  output: listOutput(
    z.object({
      id: z.string(),
      storeName: z.string(),
      ...memberShown,
      origin: oneOf(lotOrigin),
      principalCents: cents,
      giftCents: cents,
      principalLeftCents: cents,
      giftLeftCents: cents,
      createdAt: instant,
    }),
  ),
});
/** The three legal sums of a lot, and what would happen. Nothing is set aside. */
export const previewCardRefund = read({
  path: "/api/stored-value/card-refunds/preview",
  title: "退卡试算",
  access: button,
  input: z.object(which),
  output: z.object({
    rechargeId: z.string().nullable(),
    lotId: z.string(),
    ...memberShown,
    principalCents: cents,
    giftCents: cents,
    usedCents: cents,
    principalLeftCents: cents,
    giftLeftCents: cents,
    paidBeforeCents: cents,
    sums: z.array(legalSum),
    /** Of the recharge's order, what can still go back the way it came; null where it was no order. */
    orderLeftCents: cents.nullable(),
    onlyOffline: z.string().nullable(),
    feeRate: z.int(),
    /** Of those that came with it what goes back, and what there is at whoever has them. */
    points: z.int(),
    pointsThere: z.int(),
    /** Who bought it and loses them, and the coupons, where that is another. */
    pointsOf: z.object(memberShown).nullable(),
    /** The coupons that came with it, in words, of what was moved those that go back with it; those that are not used are void. Empty where none. */
    coupons: z.string(),
    refusal: z.string().nullable(),
  }),
});
/** 申请退卡: holds the lot before anybody approves. `paysCents` is what was shown; another by now is a 409 with it. */
export const askCardRefund = write({
  path: "/api/stored-value/card-refunds/ask",
  title: "申请退卡",
  access: button,
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    ...which,
    reason: oneOf(cardRefundReason),
    way: oneOf(cardRefundWay),
    paysCents: z.int().min(0).max(500_000),
    granted: flag.default(false),
    note: line(100, 1, "请填写原因说明"),
  }),
  output: done.extend({ id: z.string() }),
});
const decide = "/dataCentre/cardRecharge/decide";
export const decideCardRefund = write({
  path: "/api/stored-value/card-refunds/decide",
  title: "审核退卡",
  access: decide,
  closedToActing: true,
  rate: "money",
  input: z.object({ id, approve: z.boolean() }),
  output: done.extend({ status: oneOf(cardRefundStatus) }),
});
export const withdrawCardRefund = write({
  path: "/api/stored-value/card-refunds/withdraw",
  title: "撤回退卡申请",
  access: button,
  closedToActing: true,
  rate: "money",
  input: z.object({ id }),
  output: done,
});
/** Offline: says by what paper it was paid to the same name. */
export const proveCardRefund = write({
  path: "/api/stored-value/card-refunds/prove",
  title: "登记线下退卡凭证",
  access: button,
  closedToActing: true,
  rate: "money",
  input: z.object({ id, evidence: line(200, 4, "请填写付款凭证号、收款人与时间") }),
  output: done,
});
/** Another confirms it; then the lot is gone. */
export const confirmCardRefund = write({
  path: "/api/stored-value/card-refunds/confirm",
  title: "确认线下退卡",
  access: decide,
  closedToActing: true,
  rate: "money",
  input: z.object({ id }),
  output: done,
});
