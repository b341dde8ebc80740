import { z } from "zod";
import { yuan } from "@zhangfang/contract/money.ts";
import { asPlatform } from "@zhangfang/server/database/db.ts";
import type { ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { isFar } from "../../contract/index.ts";
import { nextRev, ownShop } from "../catalog/raise-rev.ts";
import { setPrice } from "../prices/change-price.ts";
import { turnPrices } from "../prices/turn-prices.ts";
import { levelsAt } from "../prices/price-rules.ts";
import { clearable, type Known, skuOf, skusByKey, yesCell, yuanCell } from "./cells.ts";
import { keyCell } from "./import-products.ts";

const MOMENT = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2}) (\d{1,2}):(\d{2})(?::\d{2})?$/;
/** A minute in Shanghai, as milliseconds. */
const momentCell = z
  .string()
  .refine((text) => MOMENT.test(text) && !Number.isNaN(momentOf(text)), "时间写成 2026-12-01 09:00")
  .transform(momentOf);
function momentOf(text: string): number {
  const [, year = "", month = "", day = "", hour = "", minute = ""] = MOMENT.exec(text) ?? [];
  return Date.parse(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}:00+08:00`);
}
const row = z.object({
  key: keyCell,
  price: yuanCell.optional(),
  member: clearable(yuanCell),
  from: momentCell.optional(),
  confirmed: yesCell.optional(),
});
interface Repriced {
  readonly known: Known;
  readonly row: z.output<typeof row>;
}

/** 仅改价: of the merchant, now or at a minute. A change of more than half says 是 in its own column. */
export const priceImport: ImportSource<typeof row, Repriced> = {
  name: "products-price",
  title: "商品改价",
  unit: "个",
  access: "/product/product/import",
  screen: "/product/product",
  columns: () => [
    {
      key: "key",
      label: "商品编码或条码",
      also: ["商品编码", "编码", "条码", "货号"],
      required: true,
      unique: true,
      example: "TEA001",
      width: 18,
    },
    { key: "price", label: "售价", also: ["价格", "零售价"], example: "18.00", help: "元，留空不改", width: 10 },
    { key: "member", label: "会员价", example: "16.00", help: "元，留空不改，填 - 清除", width: 10 },
    { key: "from", label: "生效时间", example: "2026-12-01 09:00", help: "留空为导入时", width: 18 },
    { key: "confirmed", label: "确认大幅改价", also: ["确认"], example: "是", help: "变动超过 50% 时填 是", width: 14 },
  ],
  row,
  titleKey: "key",
  async check(tx, scope, rows) {
    const found = await skusByKey(
      tx,
      scope,
      rows.map(({ key }) => key),
    );
    return rows.map((given): Verdict<Repriced> => {
      const known = skuOf(found, given.key);
      if (!known) return { errors: { key: `没有商品「${given.key}」` } };
      const then = pricesAt(known, given.from);
      const price = given.price ?? then.price_cents;
      const member = given.member === undefined ? then.member_cents : given.member;
      if (price === 0 && !known.gift) return { errors: { price: "只有赠品可以是 0 元" } };
      if (member !== null && member > price) return { errors: { [given.member === undefined ? "price" : "member"]: "会员价不能高于售价" } };
      if (price === then.price_cents && member === then.member_cents) return { there: true };
      const far = isFar(then.price_cents, price) || (member !== null && then.member_cents !== null && isFar(then.member_cents, member));
      if (far && given.confirmed !== true)
        return { errors: { confirmed: `由 ¥${yuan(then.price_cents)} 改为 ¥${yuan(price)}，变动超过 50%，确认请填 是` } };
      return { value: { known, row: given } };
    });
  },
  async create(author, tx, { known, row: given }) {
    const shop = ownShop(author.scope);
    const rev = await nextRev(tx, shop);
    await asPlatform(tx, () => turnPrices(tx, shop, rev, author.now_ms));
    await setPrice(author, tx, shop, rev, {
      sku_id: known.id,
      store_id: null,
      ...(given.price !== undefined && { price_cents: given.price }),
      ...(given.member !== undefined && { member_cents: given.member }),
      ...(given.from !== undefined && { from_ms: given.from }),
      confirmed: given.confirmed ?? false,
      imported: true,
    });
    await author.audit(tx, {
      targetKind: "product",
      targetId: known.id,
      provider: shop.service_provider_id,
      merchant: shop.merchant_id,
      after: { ...given, imported: true },
    });
    return known.id;
  },
};
/** What holds at the minute of a line, where it names one, as `setPrice` counts it. */
function pricesAt({ price_cents, member_cents, ahead }: Known, from_ms: number | undefined) {
  const merchant = { price_cents, member_cents };
  return from_ms === undefined
    ? merchant
    : levelsAt({ merchant, store: { price_cents: null, member_cents: null } }, ahead, from_ms).merchant;
}
