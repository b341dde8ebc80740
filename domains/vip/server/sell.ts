import type { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, storeScope } from "@zhangfang/server/database/scope.ts";
import { sql } from "kysely";
import { type Beside, type OrderRow, placeOrder } from "../../orders/server/index.ts";
import type { createTillOrder } from "../../orders/contract/index.ts";
import type { Merchant } from "./levels/read-rules.ts";

const ADULT_YEARS = 18;

/** What is sold beforehand: its price, and what is written beside its order. */
export interface Prepaid {
  readonly purpose: 2 | 3;
  readonly subject: string;
  readonly price_cents: number;
  /** What it is, so that the same number with something else is another order. */
  readonly asked: object;
  readonly write: (tx: Transaction, order: OrderRow & { readonly member_id: string }) => Promise<void>;
}
const besideOf = (ctx: Ctx, { purpose, asked, write }: Prepaid, memberId?: string): Beside => ({
  asked,
  purpose,
  ...(memberId !== undefined && { memberId }),
  write: async (tx, order) => {
    const { member_id } = order;
    if (member_id === null) throw invalid("ticket", "请先识别会员");
    await mayBuy(tx, { ...order, member_id }, ctx.now);
    await write(tx, { ...order, member_id });
  },
});

/** @throws 409 where the member may not pay beforehand: a 准会员, one who is frozen or leaving, and whoever is under age */
async function mayBuy(
  tx: Transaction,
  { service_provider_id, member_id }: Merchant & { readonly member_id: string },
  now: string,
): Promise<void> {
  const { rows } = await sql<{ stage: number; status: number; birthday: string | null }>`select m.stage, m.status, m.birthday from members m
    where m.service_provider_id = ${service_provider_id} and m.id = ${member_id} for no key update`.execute(tx);
  const [member] = rows;
  if (!member) throw notFound("会员");
  if (member.status !== 1) throw conflict("会员已冻结或正在注销，不能购买", "member.frozen");
  if (member.stage === 0) throw conflict("准会员不能预付购买，请先确认手机号", "member.unconfirmed");
  const adult = `${Number(shanghaiDay(now).slice(0, 4)) - ADULT_YEARS}${shanghaiDay(now).slice(4)}`;
  if (member.birthday !== null && member.birthday > adult) throw conflict("未满 18 周岁，不能预付购买", "member.minor");
}

type TillInput = z.output<typeof createTillOrder.input>;
/** At a till: whose it is says the ticket. */
export const sellAtTill = (
  ctx: Ctx,
  paying: Pick<TillInput, "tillNo" | "tradeType" | "wallet" | "authCode" | "face" | "openId" | "cashierCode" | "ticket">,
  prepaid: Prepaid,
) => {
  if (paying.tradeType === undefined) throw invalid("tradeType", "请选择收款方式");
  return placeOrder(ctx, { ...paying, ...plain(prepaid) }, besideOf(ctx, prepaid));
};
const plain = ({ subject, price_cents }: Prepaid) => ({
  orderType: 0 as const,
  subject,
  grossCents: price_cents as never,
  couponCents: 0,
  pointsCents: 0,
  storedValueCents: 0,
});

/** From the office: a code that the customer pays at a store in sight, for a member who is named by their number. */
export async function sellAtOffice(
  ctx: Ctx,
  asked: { readonly requestId: string; readonly memberNo: string; readonly storeId: string },
  prepaid: (merchant: Merchant & { readonly store_id: string }) => Promise<Prepaid>,
) {
  const { store, memberId } = await ctx.transaction(async (tx) => {
    const { rows } = await sql<Merchant & { store_id: string }>`select s.service_provider_id, s.merchant_id, s.id as store_id from stores s
      where s.id = ${asked.storeId} and ${inScope(ctx.scope, "s", "merchant")} and ${ofStores(ctx)}`.execute(tx);
    const [found] = rows;
    if (!found) throw notFound("门店");
    const member = await tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", found.service_provider_id)
      .where("merchant_id", "=", found.merchant_id)
      .where("no", "=", asked.memberNo)
      .where("status", "<", 4)
      .executeTakeFirst();
    if (!member) throw invalid("memberNo", "没有这个会员号");
    return { store: found, memberId: member.id };
  });
  const what = await prepaid(store);
  const scope = storeScope(store.service_provider_id, store.merchant_id, store.store_id);
  const { services, now, now_ms, incoming, principal } = ctx;
  const placing = {
    services,
    now,
    now_ms,
    incoming,
    principal,
    scope,
    transaction: ((fn, options) => withScope(services.pool, scope, fn, options ?? {})) as Ctx["transaction"],
    audit: ctx.audit,
  };
  const view = await placeOrder(
    placing,
    { tillNo: `VIP-${asked.requestId}`, tradeType: "NATIVE", face: false, ...plain(what) },
    besideOf(ctx, what, memberId),
  );
  return { orderNo: view.orderNo, codeUrl: view.codeUrl, cents: view.grossCents, expiresAt: view.expiresAt };
}
/** Where the caller is narrowed to stores, one of those. */
const ofStores = ({ scope }: Ctx) => (scope.stores === undefined ? sql`true` : sql`s.id = any(${`{${scope.stores.join(",")}}`}::uuid[])`);
