import type { ReactNode } from "react";
import { couponKind, type CouponTerms, hoursWords, percentWords, validityUnit } from "../../contract/index.ts";
import { plainYuan } from "./campaign-words.ts";

/** What a coupon is worth in its largest letters, and what stands under it. */
function worthOf({ kind, offCents, percent, priceCents, capCents, minCents }: CouponTerms): readonly [big: string, under: string] {
  const from = minCents > 0 ? `满 ${plainYuan(minCents)}` : "无门槛";
  if (kind === 1 || kind === 3) return [offCents === null ? "…" : `¥${plainYuan(offCents)}`, from];
  if (kind === 5) return [priceCents === null ? "…" : `¥${plainYuan(priceCents)}`, "换购 1 件"];
  return [percent === null ? "…" : percentWords(percent), capCents === null ? from : `最多减 ${plainYuan(capCents)}`];
}
function goodWords({ validity }: CouponTerms): string {
  if (validity.mode === 2) return `${validity.from} 至 ${validity.to}`;
  return `${validity.wait === 0 ? "领取后" : "领取后从明天起"} ${validity.count} ${validityUnit.label(validity.unit)}内`;
}

/** A coupon as the customer's phone shows it: the tear line parts what it is worth from where it is good. */
export function CouponFace({ terms, name, perPerson }: { terms: CouponTerms; name: string; perPerson?: number | undefined }): ReactNode {
  const [big, under] = worthOf(terms);
  const where = terms.storeIds.length > 0 ? `${terms.storeIds.length} 家门店` : "全部门店";
  const lines = [goodWords(terms), hoursWords(terms), perPerson ? `${where} · 每人 ${perPerson} 张` : where];
  return (
    <div className="coupon-face">
      <p className="coupon-face-worth">
        <b className="num">{big}</b>
        <small>{under}</small>
      </p>
      <div className="coupon-face-terms">
        <b>{name}</b>
        <small>{couponKind.label(terms.kind)}</small>
        {lines
          .filter((line) => line !== "")
          .map((line) => (
            <small key={line}>{line}</small>
          ))}
      </div>
    </div>
  );
}
