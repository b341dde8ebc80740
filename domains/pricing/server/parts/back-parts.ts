import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type BackPreview, contributorsOf, type PricedOrder, type UsedBack } from "../contributor.ts";
import { type Ask, back, type Back, type Tenders } from "../rules/back.ts";
import type { Part } from "../rules/facts.ts";
import { eachUsed, KINDS, readAsk, readGiven, readParts } from "./read-parts.ts";

/** Names one refund of an order. */
export interface BackOf {
  readonly order: PricedOrder;
  readonly refund_id: string;
}

/**
 * How a refund of an order is cut, with everything counted that is back or on its way; the order is held by the caller.
 * @param again a refund that failed and is sent again: as it was asked for, and with the same tenders, for the channel knows its money
 * @param nothing whether a refund of no value is one
 * @throws 400 where more is asked for than is left
 */
export async function planBack(
  tx: Transaction,
  order: PricedOrder,
  ask: Ask | undefined,
  again?: { readonly refund_id: string; readonly tenders: Tenders },
  nothing = false,
): Promise<Back> {
  const { lines, paid } = await readParts(tx, order);
  const asked = ask ?? (await readAsk(tx, order.service_provider_id, again?.refund_id ?? ""));
  const before = await readGiven(tx, order, again?.refund_id);
  const given = back(lines, paid, before, asked, again?.tenders, nothing);
  if (!given) throw invalid("units" in asked ? "units" : "amountCents", "退款超过订单剩余的价值");
  // Each unit is worth nothing, so that any of them would give back the whole bill and all of its vouchers.
  const byVouchers = paid.value_cents === 0 && paid.parts.some(({ source }) => source === "voucher");
  const some = ({ place, units }: (typeof lines)[number]) => (given.units[place] ?? 0) < units - (before.units[place] ?? 0);
  if (byVouchers && "units" in asked && lines.some(some)) throw invalid("units", "这单由平台券付清，商品要全部一起退");
  return given;
}

/** Writes down what a refund gives back, and sets it aside with that. One that is sent again is written anew. */
export async function holdBack(tx: Transaction, { order, refund_id }: BackOf, given: Back): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const { paid } = await readParts(tx, order);
  const none = { cents: 0, units: 0, points: 0, provider_cents: 0 };
  const rows = [
    ...(given.amount_cents > 0 ? [{ ...none, source: "amount", ref: "", cents: given.amount_cents }] : []),
    ...Object.entries(given.units).map(([ref, units]) => ({ ...none, source: "line", ref, units })),
    ...tenders(given).map((row) => ({ ...none, ...row })),
    ...paid.parts.map(({ source, ref }) => ({
      ...none,
      source: source as string,
      ref,
      points: given.points[ref] ?? 0,
      provider_cents: given.provider[ref] ?? 0,
    })),
  ];
  await tx.deleteFrom("price_backs").where("service_provider_id", "=", service_provider_id).where("refund_id", "=", refund_id).execute();
  await tx
    .insertInto("price_backs")
    .values(rows.map((row) => ({ service_provider_id, merchant_id, store_id, order_id, refund_id, ...row })))
    .execute();
}
const tenders = ({ money_cents, principal_cents, gift_cents }: Back) =>
  Object.entries({ money: money_cents, principal: principal_cents, gift: gift_cents }).flatMap(([source, cents]) =>
    cents > 0 ? [{ source, ref: "", cents }] : [],
  );

/** The money of a refund is confirmed: everybody gets back theirs. @param whole nothing of the order is left */
export async function giveBack(tx: Transaction, services: Services, { order, refund_id }: BackOf, whole: boolean): Promise<void> {
  const { paid } = await readParts(tx, order);
  const rows = await tx
    .selectFrom("price_backs")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("refund_id", "=", refund_id)
    .execute();
  const stored = ({ source }: Part, kind: "principal" | "gift"): number =>
    source === "stored" ? (rows.find((row) => row.source === kind)?.cents ?? 0) : 0;
  const backs = paid.parts.map((part): Part & UsedBack => {
    const row = rows.find(({ source, ref }) => !KINDS.has(source) && ref === part.ref);
    return {
      ...part,
      points_back: row?.points ?? 0,
      provider_back: row?.provider_cents ?? 0,
      principal_back: stored(part, "principal"),
      gift_back: stored(part, "gift"),
      whole,
    };
  });
  const each = eachUsed(services, backs);
  for (const [contributor, given] of each) await contributor.giveBack(tx, services, order, refund_id, given);
  for (const [contributor, given] of each) await contributor.bookGiven?.(tx, services, order, refund_id, given);
}

/** What a refund would do besides its cut, as everybody says who is asked of a price. @param except the refund, where it is set aside already */
export async function previewBack(
  tx: Transaction,
  services: Services,
  order: PricedOrder,
  given: Back,
  except?: string,
): Promise<BackPreview[]> {
  const previews: BackPreview[] = [];
  for (const contributor of contributorsOf(services)) {
    const preview = await contributor.previewBack?.(tx, services, order, given, except);
    if (preview) previews.push(preview);
  }
  return previews;
}
