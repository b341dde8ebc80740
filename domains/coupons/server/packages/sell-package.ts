import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { type Beside, placeOrder, storeOf } from "../../../orders/server/index.ts";
import { getTillPackages, packageContent, sellPackageAtTill, worthWords } from "../../contract/index.ts";
import { HEAD, itemsOf, type PackageHead } from "./find-package.ts";
import { reservePackage } from "./give-package.ts";

type Placing = Parameters<typeof placeOrder>[0];
type Till = Parameters<typeof placeOrder>[1];
type Paying = Pick<Till, "tillNo" | "tradeType"> &
  Partial<Pick<Till, "wallet" | "authCode" | "face" | "openId" | "cashierCode" | "ticket">>;
interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** A priced package of a merchant's, which is not a till's to see. @throws 404 */
async function pricedOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant, id: string) {
  const found = await asPlatform(tx, () =>
    tx
      .selectFrom("packages")
      .select(["name", "price_cents"])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("id", "=", id)
      .where("state", "<>", "UNAUDIT")
      .executeTakeFirst(),
  );
  if (!found) throw notFound("券包");
  if (found.price_cents === null) throw conflict("这个券包不要钱，直接领取", "package.free");
  return { name: found.name, price_cents: found.price_cents };
}
/**
 * Sells a priced package by an order of purpose 4: every piece of it is set aside as the order is placed, free again when that closes, and given
 * with its money. The same number with the same package is the same order.
 * @param asked.memberId whose it is, where nobody stands at a till with a ticket
 * @param asked.priceCents what was shown; another one by now is refused
 * @throws 404, 400, 409 with why there is none
 */
export async function sellPackage(
  ctx: Placing,
  merchant: Merchant,
  paying: Paying,
  asked: { readonly packageId: string; readonly requestId: string; readonly priceCents?: number; readonly memberId?: string },
) {
  const { packageId: package_id, requestId: request_id, priceCents, memberId } = asked;
  const { name, price_cents } = await ctx.transaction((tx) => pricedOf(tx, merchant, package_id), { readOnly: true });
  if (priceCents !== undefined && priceCents !== price_cents) throw conflict("券包的价格变了，请重新打开", "price.changed");
  const beside: Beside = {
    asked: { package: package_id, ...(memberId !== undefined && { member: memberId }) },
    purpose: 4,
    ...(memberId !== undefined && { memberId }),
    write: (tx, { service_provider_id, merchant_id, member_id, id: order_id }) =>
      asPlatform(tx, async () => {
        if (member_id === null) throw invalid("ticket", "请先识别会员");
        const member = { service_provider_id, merchant_id, id: member_id };
        await reservePackage(tx, ctx.services, member, { package_id, request_id, order_id, price_cents });
      }),
  };
  const sums = { grossCents: price_cents, couponCents: 0, pointsCents: 0, storedValueCents: 0 };
  return placeOrder(ctx, { face: false, ...paying, ...sums, orderType: 0, subject: `券包 ${name}` } as Till, beside);
}

const MOST = 50;
/** 收银可售券包: those that are sold now. */
export const getTillPackagesRoute = implement(getTillPackages, async ({ tx, scope, now, now_ms }) => {
  const { service_provider_id, merchant_id } = storeOf(scope);
  const found = await asPlatform(tx, async () => {
    const { rows } =
      await sql<PackageHead>`select ${HEAD(shanghaiDay(now_ms))} from packages p where p.service_provider_id = ${service_provider_id}
      and p.merchant_id = ${merchant_id} and p.state = 'RUNNING' and p.price_cents is not null and p.begins_at <= ${now} and p.ends_at > ${now}
      order by p.created_at desc, p.id desc limit ${MOST}`.execute(tx);
    return {
      rows,
      items: await itemsOf(
        tx,
        service_provider_id,
        rows.map(({ id }) => id),
      ),
    };
  });
  return {
    packages: found.rows.map(({ id, name, price_cents, total, issued, held, per_person }) => {
      const inside = found.items.filter(({ package_id }) => package_id === id);
      return {
        id,
        name,
        content: packageContent(inside.map(({ terms, count }) => ({ worth: worthWords(terms), count }))),
        priceCents: (price_cents ?? 0) as never,
        left: Math.max(0, Math.min(total - issued - held, ...inside.map(({ left, count }) => Math.floor(left / count)))),
        perPerson: per_person,
      };
    }),
  };
});
/** 收银售券包. */
export const sellPackageAtTillRoute = implement(sellPackageAtTill, async (ctx, { packageId, ...paying }) => {
  if (paying.tradeType === undefined) throw invalid("tradeType", "请选择收款方式");
  return sellPackage(ctx, storeOf(ctx.scope), paying, { packageId, requestId: ctx.services.ids.uuid(ctx.now_ms) });
});
