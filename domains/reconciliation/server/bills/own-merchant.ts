import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type BillSource, type BillTypeCode, isPlatform, typesOf } from "../../contract/index.ts";
import { type DayRef, mustSeeWhole } from "../rows.ts";

/** The merchant, where the caller may see it; the caller's own where none is named. @throws 404 */
export async function readMerchant(tx: Transaction, scope: Scope, given: string | undefined) {
  mustSeeWhole(scope);
  const id = given ?? scope.merchant;
  if (id === undefined) throw invalid("merchantId", "请选择商户");
  const found = await tx
    .selectFrom("merchants as m")
    .select(["m.service_provider_id", "m.id as merchant_id", "m.short_name"])
    .where("m.id", "=", id)
    .where(inScope(scope, "m"))
    .executeTakeFirst();
  if (!found) throw notFound("商户");
  return found;
}

/** A bill that there can be, of a day that is still open. @throws */
export async function mustBeBill(tx: Transaction, ref: DayRef, { type, now_ms }: { type: BillTypeCode; now_ms: number }): Promise<void> {
  if (isPlatform(ref.source)) throw invalid("source", "平台的账单不是文件：接口每晚自动取，其余请导入表格");
  if (!typesOf(ref.source as BillSource).includes(type)) throw invalid("type", "此通道没有这种账单");
  if (ref.day >= shanghaiDay(now_ms)) throw invalid("day", "账单日期须早于今天");
  const day = await tx
    .selectFrom("recon_days")
    .select("status")
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("merchant_id", "=", ref.merchant_id)
    .where("source", "=", ref.source)
    .where("day", "=", ref.day)
    .executeTakeFirst();
  if (day?.status === "closed") throw conflict(`${ref.day} 已关账，请先撤销关账`, "day-closed");
}
