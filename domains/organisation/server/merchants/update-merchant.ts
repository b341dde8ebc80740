import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updateMerchant } from "../../contract/index.ts";
import { maskAnyPhone } from "./list/merchant-columns.ts";
import { searchWords } from "@zhangfang/server/pinyin.ts";

/** 修改商户: over the version that was read, so that nobody overwrites what they did not see. The rate is the provider's to set. */
export const updateMerchantRoute = implement(updateMerchant, async (ctx, { id, version, ...given }) => {
  const before = await ctx.tx
    .selectFrom("merchants as m")
    .selectAll("m")
    .where("m.id", "=", id)
    .where(inScope(ctx.scope, "m"))
    .executeTakeFirst();
  if (!before) throw notFound("商户");
  const { level } = ctx.scope;
  if (given.feeRate !== undefined && given.feeRate !== before.fee_rate && level !== "ADMIN" && level !== "SP")
    throw invalid("feeRate", "费率由服务商设置");
  const values = {
    name: given.name,
    short_name: given.shortName,
    pinyin: searchWords(given.shortName, given.name),
    trade: given.trade || null,
    province: given.province || null,
    city: given.city || null,
    address: given.address || null,
    service_phone: given.servicePhone || null,
    licence_no: given.licenceNo || null,
    legal_person: given.legalPerson || before.legal_person,
    contact_name: given.contactName ?? before.contact_name,
    contact_phone: given.contactPhone ?? before.contact_phone,
    fee_rate: given.feeRate ?? before.fee_rate,
  };
  await writeOver(ctx.tx, "merchants", { service_provider_id: before.service_provider_id, id }, version, values, "商户资料");
  const told = (row: typeof values) => ({
    name: row.name,
    shortName: row.short_name,
    trade: row.trade,
    city: row.city,
    address: row.address,
    servicePhone: row.service_phone,
    licenceNo: row.licence_no,
    contactPhone: row.contact_phone && maskAnyPhone(row.contact_phone),
    feeRate: row.fee_rate,
  });
  ctx.note({
    targetKind: "merchant",
    targetId: id,
    before: told(before),
    after: told(values),
    provider: before.service_provider_id,
    merchant: id,
  });
  return { ok: true as const };
});
