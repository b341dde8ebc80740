import { implement } from "@zhangfang/server/calls/call.ts";
import { addDays, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { acquirerOf, fetchBill } from "../../contract/index.ts";
import { addBill } from "./add-bill.ts";
import { importBill } from "./import-bill.ts";
import { mustBeBill, readMerchant } from "./own-merchant.ts";

/** The channel keeps bills for three months (channels.md 5.1). */
const KEPT_DAYS = 90;
/** The bill of the day before is there from ten o'clock on. */
export const READY_HOUR = 10;

export const fetchBillRoute = implement(fetchBill, async (ctx, given) => {
  if (acquirerOf(given.source) !== undefined) throw invalid("source", "收单机构的账单没有查询接口，请上传账单文件");
  const merchant = await readMerchant(ctx.tx, ctx.scope, given.merchantId);
  const ref = { ...merchant, source: given.source, day: given.day };
  await mustBeBill(ctx.tx, ref, { type: given.type, now_ms: ctx.now_ms });
  const today = shanghaiDay(ctx.now_ms);
  if (given.day < addDays(today, -KEPT_DAYS)) throw invalid("day", `通道只保留 ${KEPT_DAYS} 天的账单，请上传文件`);
  if (given.day === addDays(today, -1) && Number(shanghaiTime(ctx.now_ms).slice(11, 13)) < READY_HOUR)
    throw invalid("day", `昨天的账单 ${READY_HOUR} 点后可以获取`);
  const id = await addBill(ctx.tx, ctx.services, ref, {
    type: given.type,
    origin: "fetch",
    status: "waiting",
    by: { id: ctx.principal.id, name: ctx.principal.name },
  });
  await ctx.services.jobs.enqueue(ctx.tx, importBill, { service_provider_id: merchant.service_provider_id, id });
  ctx.note({
    targetKind: "bill_file",
    targetId: id,
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
    after: { day: given.day, source: given.source, type: given.type },
  });
  return { id };
});
