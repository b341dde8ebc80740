import { splitCents } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PricedOrder } from "../contributor.ts";
import type { Part } from "../rules/facts.ts";
import { type OffColumns, offColumns } from "./place-parts.ts";
import { eachUsed, readParts } from "./read-parts.ts";

/**
 * The order is paid: everybody takes what it used. What is gone meanwhile becomes a part that the merchant bears, and what the
 * channel took off by itself becomes one too. Never refuses: the money is there.
 * @param free_coupon_cents the channel's own free coupons (docs/money.md)
 * @returns the order's columns as they are now
 */
export async function takeParts(tx: Transaction, services: Services, order: PricedOrder, free_coupon_cents: number): Promise<OffColumns> {
  const { lines, paid } = await readParts(tx, order);
  const gone = new Set<string>();
  for (const [contributor, used] of eachUsed(services, paid.parts)) {
    for (const ref of await contributor.take(tx, services, order, used)) gone.add(nameOf({ source: contributor.source, ref }));
  }
  for (const [contributor] of eachUsed(services, paid.parts)) await contributor.bookTaken?.(tx, services, order);
  const parts = paid.parts.map((part): Part => (gone.has(nameOf(part)) ? { ...part, source: "short", points: 0, gift_cents: 0 } : part));
  const nets = [...paid.nets];
  for (const part of paid.parts.filter((one) => gone.has(nameOf(one)))) {
    await bear(tx, order, part);
    // A tender that is gone pays for nothing: what it would have paid of a line comes off the line, for good.
    if (part.source === "stored") {
      const cuts = lines.flatMap(({ place }, at) => (part.lines[at] ? [{ place, cents: part.lines[at] }] : []));
      await lowerNets(tx, order, cuts);
      part.lines.forEach((cents, at) => (nets[at] = (nets[at] ?? 0) - cents));
    }
  }
  if (free_coupon_cents === 0) return offColumns(parts);
  const cut = splitCents(free_coupon_cents, nets);
  const channel = { source: "channel" as const, off_cents: free_coupon_cents, points: 0, gift_cents: 0 };
  await addChannelPart(
    tx,
    order,
    parts.length + 1,
    lines.flatMap(({ place }, at) => (cut[at] ? [{ place, cents: cut[at] }] : [])),
    free_coupon_cents,
  );
  return offColumns([...parts, channel]);
}

/** A part within its order, as its row is found: a ref is its contributor's own. */
const nameOf = ({ source, ref }: Pick<Part, "source" | "ref">): string => `${source}:${ref}`;

/** The merchant's alone from now on: no subsidy is claimed for it, and no points come back. */
async function bear(tx: Transaction, { service_provider_id, id }: PricedOrder, part: Part): Promise<void> {
  await tx
    .updateTable("price_parts")
    .set({
      source: "short",
      ref: nameOf(part),
      provider_cents: 0,
      merchant_cents: part.off_cents,
      points: 0,
      gift_cents: 0,
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", id)
    .where("source", "=", part.source)
    .where("ref", "=", part.ref)
    .execute();
}

async function addChannelPart(
  tx: Transaction,
  { service_provider_id, merchant_id, store_id, id: order_id }: PricedOrder,
  n: number,
  cuts: readonly { readonly place: number; readonly cents: number }[],
  off_cents: number,
): Promise<void> {
  const owner = { service_provider_id, merchant_id, store_id, order_id, n };
  await tx
    .insertInto("price_parts")
    .values({
      ...owner,
      source: "channel",
      ref: "channel",
      name: "通道免充值优惠",
      off_cents,
      provider_cents: 0,
      merchant_cents: off_cents,
    })
    .execute();
  await tx
    .insertInto("price_part_lines")
    .values(cuts.map((cut) => ({ ...owner, ...cut })))
    .execute();
  await lowerNets(tx, owner, cuts);
}

/** Lines come to so much less. */
async function lowerNets(
  tx: Transaction,
  { service_provider_id, ...order }: { readonly service_provider_id: string } & ({ readonly id: string } | { readonly order_id: string }),
  cuts: readonly { readonly place: number; readonly cents: number }[],
): Promise<void> {
  const order_id = "id" in order ? order.id : order.order_id;
  for (const { place, cents } of cuts)
    await tx
      .updateTable("order_lines")
      .set((eb) => ({ net_cents: eb("net_cents", "-", cents) }))
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", order_id)
      .where("place", "=", place)
      .execute();
}

/** The order was closed unpaid: what it had set aside is free again. */
export async function releaseParts(tx: Transaction, services: Services, order: PricedOrder): Promise<void> {
  const { paid } = await readParts(tx, order);
  for (const [contributor, used] of eachUsed(services, paid.parts)) await contributor.release(tx, services, order, used);
}
