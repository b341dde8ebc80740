import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { cashierToPay } from "../../../cashiers/server/index.ts";
import { storeOf } from "../../../orders/server/index.ts";
import { cancelVoucherAtTill, getVoucherAtTill, prepareVoucherAtTill, verifyVoucherAtTill } from "../../contract/index.ts";
import { viewsOf } from "./attempt-view.ts";
import { cancelVerification } from "../verifying/cancel.ts";
import { noteUse } from "./desk-routes.ts";
import { prepareVoucher } from "../verifying/prepare.ts";
import { verifyVouchers } from "../verifying/verify.ts";

/** Whoever stands at the till. @throws 400 at `cashierCode` */
async function cashierOf(ctx: Ctx, code: string | undefined): Promise<string | null> {
  const { service_provider_id, store_id } = storeOf(ctx.scope);
  return ctx.transaction((tx) =>
    cashierToPay(tx, { service_provider_id, store_id, device_id: ctx.principal.id }, code, { paid_cents: 0, off_cents: 0 }),
  );
}
export const prepareVoucherAtTillRoute = implement(
  prepareVoucherAtTill,
  async (ctx, { scan }) => (await prepareVoucher(ctx.services, storeOf(ctx.scope), scan)) as never,
);
export const verifyVoucherAtTillRoute = implement(verifyVoucherAtTill, async (ctx, { cashierCode, ...wish }) => {
  const place = storeOf(ctx.scope);
  const cashier_id = await cashierOf(ctx, cashierCode);
  const clerk = { ...place, by_name: ctx.principal.name, user_id: null, cashier_id, device_id: ctx.principal.id, ip: ctx.incoming.ip };
  const ids = await verifyVouchers(ctx.services, clerk, wish, noteUse(ctx, place, "verify"));
  return ctx.transaction((tx) => viewsOf(tx, ctx.services, place.service_provider_id, ids, ""), { readOnly: true });
});
export const getVoucherAtTillRoute = implement(getVoucherAtTill, async (ctx, { id }) => {
  const { service_provider_id, store_id } = storeOf(ctx.scope);
  const [view] = await viewsOf(ctx.tx, ctx.services, service_provider_id, [id], "");
  if (view?.storeId !== store_id) throw notFound("核销");
  return view;
});
export const cancelVoucherAtTillRoute = implement(cancelVoucherAtTill, async (ctx, { id, reason, cashierCode }) => {
  const place = storeOf(ctx.scope);
  const cashier_id = await cashierOf(ctx, cashierCode);
  const ref = { service_provider_id: place.service_provider_id, id };
  await cancelVerification(
    ctx.services,
    ref,
    { by_name: ctx.principal.name, user_id: null, cashier_id, device_id: ctx.principal.id, reason },
    ({ merchant_id, store_id }) => merchant_id === place.merchant_id && store_id === place.store_id,
    (tx, attempt) => noteUse(ctx, attempt, `reverse: ${reason}`)(tx, { ids: [id], platform: attempt.platform, title: "" }),
  );
  const [view] = await ctx.transaction((tx) => viewsOf(tx, ctx.services, place.service_provider_id, [id], ""), { readOnly: true });
  return view!;
});
