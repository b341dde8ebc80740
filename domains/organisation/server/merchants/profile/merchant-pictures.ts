import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { readPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import { getMerchantPictures, MERCHANT_PICTURE, merchantPicture, setMerchantPicture } from "../../../contract/index.ts";

/** 标志 and 营业执照 of the caller's own merchant. */
export const getMerchantPicturesRoute = implement(getMerchantPictures, async (ctx) => {
  const { rows } = await sql<{ kind: "logo" | "licence"; type: string; bytes: Buffer }>`
    select x.kind, x.content_type as type, x.bytes from merchant_pictures x
    where x.merchant_id = ${ctx.scope.merchant ?? null} and ${inScope(ctx.scope, "x", "merchant")}`.execute(ctx.tx);
  const shown = (kind: "logo" | "licence"): string | null => {
    const found = rows.find((row) => row.kind === kind);
    return found ? `data:${found.type};base64,${found.bytes.toString("base64")}` : null;
  };
  return { logo: shown("logo"), licence: shown("licence") };
});
/** What is kept of one: drawn anew it may be larger than it came. The table takes no more. */
const KEPT = { side: 2_000, bytes: 400_000 } as const;
/** Kept where it is a picture of a sensible size, drawn anew; one of each kind. */
export const setMerchantPictureRoute = implement(setMerchantPicture, async (ctx, { kind, base64 }) => {
  const { provider, merchant } = ctx.scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  if (base64 === null)
    await ctx.tx
      .deleteFrom("merchant_pictures")
      .where("service_provider_id", "=", provider)
      .where("merchant_id", "=", merchant)
      .where("kind", "=", kind)
      .execute();
  else {
    const read = await readPicture(base64, MERCHANT_PICTURE);
    const bytes = await smallerPicture(read, KEPT.side);
    if (bytes.length > KEPT.bytes) throw invalid("base64", "图片细节过多，处理后超过 400 KB，请换一张尺寸小些的图片");
    const picture = { content_type: read.contentType, bytes, by_name: ctx.principal.name, set_at: ctx.now };
    await ctx.tx
      .insertInto("merchant_pictures")
      .values({ service_provider_id: provider, merchant_id: merchant, kind, ...picture })
      .onConflict((known) => known.columns(["service_provider_id", "merchant_id", "kind"]).doUpdateSet(picture))
      .execute();
  }
  ctx.note({
    targetKind: "merchant",
    targetId: merchant,
    after: { picture: merchantPicture.label(kind), state: base64 === null ? "已移除" : "已上传" },
    provider,
    merchant,
  });
  return { ok: true as const };
});
