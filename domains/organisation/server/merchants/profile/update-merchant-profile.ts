import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal } from "@zhangfang/server/crypto.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import { setSettlementAccount, updateMerchantProfile } from "../../../contract/index.ts";
import { maskAnyPhone } from "../list/merchant-columns.ts";

async function ownMerchant(ctx: Ctx) {
  const found = await ctx.tx
    .selectFrom("merchants as m")
    .selectAll("m")
    .where("m.id", "=", ctx.scope.merchant ?? "")
    .where(inScope(ctx.scope, "m", "merchant"))
    .executeTakeFirst();
  if (!found) throw notFound("商户");
  return found;
}
const writeMerchant = (
  ctx: Ctx,
  { service_provider_id, id }: { service_provider_id: string; id: string },
  version: number,
  values: object,
) => writeOver(ctx.tx, "merchants", { service_provider_id, id }, version, values, "商户资料");

/** 修改商户信息: what the merchant itself may say of itself. */
export const updateMerchantProfileRoute = implement(updateMerchantProfile, async (ctx, { version, ...given }) => {
  const before = await ownMerchant(ctx);
  const values = {
    trade: given.trade || null,
    province: given.province || null,
    city: given.city || null,
    address: given.address || null,
    service_phone: given.servicePhone || null,
    licence_no: given.licenceNo || null,
    contact_name: given.contactName ?? before.contact_name,
    contact_phone: given.contactPhone ?? before.contact_phone,
    legal_person: given.legalPerson ?? before.legal_person,
  };
  await writeMerchant(ctx, before, version, values);
  const told = (row: typeof values) => ({
    trade: row.trade,
    city: row.city,
    address: row.address,
    servicePhone: row.service_phone,
    licenceNo: row.licence_no,
    contactName: row.contact_name && maskName(row.contact_name),
    contactPhone: row.contact_phone && maskAnyPhone(row.contact_phone),
  });
  ctx.note({ targetKind: "merchant", targetId: before.id, before: told(before), after: told(values) });
  return { ok: true as const };
});

/** 设置结算账户: sealed for its row, and from then on its last four. */
export const setSettlementAccountRoute = implement(setSettlementAccount, async (ctx, { version, bank, holder, account }) => {
  const before = await ownMerchant(ctx);
  const place = `merchants.settle_account:${before.service_provider_id}:${before.id}`;
  await writeMerchant(ctx, before, version, {
    settle_bank: bank,
    settle_holder: holder,
    settle_account_sealed: seal(derivedKey(ctx.services.config.secret, "merchant-settlement"), place, account),
    settle_account_tail: account.slice(-4),
  });
  ctx.note({
    targetKind: "merchant",
    targetId: before.id,
    before: { bank: before.settle_bank, tail: before.settle_account_tail },
    after: { bank, tail: account.slice(-4) },
  });
  return { ok: true as const };
});
