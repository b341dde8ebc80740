import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { daysBetween } from "@zhangfang/contract/time.ts";
import { LONGEST_REPORT_DAYS } from "./pay-statistics.ts";
import { drill, span } from "./shapes.ts";

/** What a row stands for. */
export const profitBy = labelled({ merchant: "按商户", day: "按日", both: "按日和商户" });

export const profitFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
  merchantId: scopeFilter.merchantId,
  from: day,
  to: day,
  by: oneOf(profitBy).default("merchant"),
};
const inOrder = ({ from, to }: { readonly from: string; readonly to: string }) => from <= to && daysBetween(from, to) < LONGEST_REPORT_DAYS;
const spanMessage = { message: "开始日期不晚于结束日期，最多三年", path: ["to"] };

const profit = z.object({
  grossCents: cents,
  discountCents: cents,
  storedCents: cents,
  paidCents: cents,
  refundCents: cents,
  /** Less what came back of it. */
  feeKeptCents: cents,
  /** Less what came back of it. */
  sharedCents: cents,
  /** What came back of shares, already taken off. */
  shareReturnedCents: cents,
  profitCents: cents,
  /** Null where no bill is there, or where the caller sees only some stores of the merchant. */
  settledCents: cents.nullable(),
});
export type Profit = z.output<typeof profit>;
const drills = z.object({ pay: drill, refund: drill, fee: drill, bill: drill, shared: drill, returned: drill });

export const listMerchantsProfit = read({
  path: "/api/statistics/merchants-profit",
  title: "商户收益",
  jumps: false,
  access: "/dataCentre/merchantsProfit",
  bearsDelay: true,
  input: listInput(profitFilter, [
    "usual",
    "-grossCents",
    "-refundCents",
    "-feeKeptCents",
    "-sharedCents",
    "-profitCents",
    "profitCents",
    "-settledCents",
  ]).refine(inOrder, spanMessage),
  output: listOutput(
    profit.extend({
      id: z.guid(),
      day: day.nullable(),
      merchantId: id.nullable(),
      merchantName: z.string().nullable(),
      drill: drills,
    }),
  ),
});

/** The totals over the whole filter. */
export const summariseMerchantsProfit = read({
  path: "/api/statistics/merchants-profit/summary",
  title: "商户收益合计",
  access: "/dataCentre/merchantsProfit",
  bearsDelay: true,
  input: z.object(profitFilter).refine(inOrder, spanMessage),
  output: profit.extend({ span, drill: drills }),
});
