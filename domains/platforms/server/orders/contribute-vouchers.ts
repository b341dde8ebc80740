import { sql } from "kysely";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { askAsPlatform, asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Contributor, Offer, PriceAsk, PricedOrder, Used, VoucherAsk } from "../../../pricing/server/index.ts";
import { attemptStatus, type AttemptStatus, voucherPlatform, type VoucherPlatform } from "../../contract/index.ts";

interface Use {
  readonly id: string;
  readonly status: AttemptStatus;
  readonly platform: VoucherPlatform;
  readonly title: string;
  readonly tail: string;
  readonly goods_kind: number;
  readonly face_cents: number;
  readonly order_no: string | null;
}
/** A use by what people know it by. @example nameOf(use) // 抖音券「双人冷锅串串套餐」尾号 8020 */
export const nameOf = ({ platform, title, tail }: Pick<Use, "platform" | "title" | "tail">): string =>
  `${voucherPlatform.label(platform)}券「${title}」${tail && `尾号 ${tail}`}`;

/** The uses that an order names, of its own store. */
const usesOf = (
  { service_provider_id, merchant_id, store_id }: PriceAsk,
  asked: readonly VoucherAsk[],
) => sql<Use>`select a.id, a.status, a.platform, v.title, v.tail, v.goods_kind, a.face_cents, o.order_no
    from voucher_verifications a join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id
    left join pay_orders o on o.service_provider_id = a.service_provider_id and o.id = a.order_id
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.store_id = ${store_id}
      and a.id = any(${asked.map(({ id }) => id)}::uuid[])`;
/**
 * What a use takes off. 代金券: its face. 平台次卡: the face of this one use. 团购商品: one unit of each line that the till names for it,
 * whatever that costs here; where it names none, its face at most. Those that name lines come first, so that the others see the rest.
 */
function offerOf(use: Use, { places }: VoucherAsk, { lines }: PriceAsk): Offer {
  const { id: ref, goods_kind, face_cents } = use;
  if (places && goods_kind !== 1) throw invalid("platformVouchers", `${nameOf(use)}不是团购商品，不用选商品`);
  if (places?.some((place) => !lines.some((line) => line.place === place)))
    throw invalid("platformVouchers", `${nameOf(use)}选的商品不在这一单里`);
  return {
    source: "voucher",
    ref,
    name: nameOf(use),
    priority: places ? 1 : 0,
    min_cents: 0,
    provider_rate: 0,
    without: [],
    ...(places ? { places, rule: { kind: "goods", face_cents } } : { rule: { kind: "off", off_cents: face_cents } }),
  };
}
/** The uses of an order, held in the order of their ids. */
async function holdUses(tx: Transaction, { service_provider_id, merchant_id, store_id }: PricedOrder, used: readonly Used[]) {
  const { rows } = await sql<{ id: string; status: number; order_id: string | null }>`select a.id, a.status, a.order_id
    from voucher_verifications a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id}
      and a.store_id = ${store_id} and a.id = any(${used.map(({ ref }) => ref)}::uuid[]) order by a.id for no key update`.execute(tx);
  return rows;
}
/** Puts uses into an order, or lets them go; each is one row, so that whoever changes it first has it. */
async function setOrder(
  tx: Transaction,
  { service_provider_id }: PricedOrder,
  ids: readonly string[],
  from: string | null,
  to: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  const set = await sql`update voucher_verifications set order_id = ${to} where service_provider_id = ${service_provider_id}
    and id = any(${[...ids]}::uuid[]) and order_id is not distinct from ${from}::uuid`.execute(tx);
  if (Number(set.numAffectedRows) !== ids.length) throw new Error("a use moved under its lock");
}

/** 平台券 as a step of the price, before all others (platforms.md 2). A use gives nothing back but by its own reversal. */
export const voucherContributor: Contributor = {
  source: "voucher",
  async offers(tx, _services, ask) {
    const { vouchers = [] } = ask;
    if (vouchers.length === 0) return [];
    const uses = await askAsPlatform(tx, usesOf(ask, vouchers));
    return vouchers.map((asked) => {
      const use = uses.find(({ id }) => id === asked.id);
      if (!use) throw notFound("平台券");
      if (use.status !== 1) throw conflict(`${nameOf(use)}${attemptStatus.label(use.status)}，只有核销成功的才能放进订单`, "voucher.state");
      if (use.order_no !== null) throw conflict(`${nameOf(use)}已在订单 ${use.order_no} 里`, "voucher.in-order");
      return offerOf(use, asked, ask);
    });
  },
  hold: (tx, _services, order, used) =>
    asPlatform(tx, async () => {
      const uses = await holdUses(tx, order, used);
      if (uses.length === used.length && uses.every(({ order_id }) => order_id === order.id)) return;
      if (uses.length !== used.length || uses.some(({ status, order_id }) => status !== 1 || order_id !== null))
        throw conflict("平台券已用在别的订单里，或已撤销，请重新报价", "voucher.gone");
      await setOrder(
        tx,
        order,
        uses.map(({ id }) => id),
        null,
        order.id,
      );
    }),
  take: (tx, _services, order, used) =>
    asPlatform(tx, async () => {
      const uses = await holdUses(tx, order, used);
      // Paid after it was closed: what is free is used all the same.
      const free = uses.filter(({ status, order_id }) => status === 1 && order_id === null).map(({ id }) => id);
      await setOrder(tx, order, free, null, order.id);
      const there = uses.filter(
        ({ id, status, order_id }) => free.includes(id) || (order_id === order.id && (status === 1 || status === 5)),
      );
      // Taken back at the platform meanwhile: it pays for nothing here.
      const gone = uses.filter(({ id, order_id }) => order_id === order.id && !there.some((one) => one.id === id)).map(({ id }) => id);
      await setOrder(tx, order, gone, order.id, null);
      return used.flatMap(({ ref }) => (there.some(({ id }) => id === ref) ? [] : [ref]));
    }),
  release: (tx, _services, order, used) =>
    asPlatform(tx, async () => {
      const uses = (await holdUses(tx, order, used)).filter(({ order_id }) => order_id === order.id).map(({ id }) => id);
      await setOrder(tx, order, uses, order.id, null);
    }),
  giveBack: async () => {},
};
