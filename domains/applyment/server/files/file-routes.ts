import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { jpegPicture, readPicture } from "@zhangfang/server/files/clean-picture.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addApplymentFile, getApplymentFile, lookAtApplymentFile } from "../../contract/index.ts";
import { merchantOf, type MerchantRow } from "../dossiers/dossier-of.ts";

/** What WeChat Pay takes (channels.md 1.1). */
const MOST_BYTES = 2 * 1024 * 1024;
const LIMITS = { bytes: 180_000, side: 8_000, pixels: 13_000_000 };
/** One person brings at most so many of a merchant's a day. */
const MOST = 200;
const SIDE = 2_400;
/** An address holds for one slot and the next: thirty seconds to a minute. */
export const SLOT_MS = 30_000;
const purposeAt = (at_ms: number): string => `applyment-file-${Math.floor(at_ms / SLOT_MS)}`;

/** 上传进件图片: drawn between two short transactions. */
export const addApplymentFileRoute = implement(addApplymentFile, async (ctx, { merchantId, base64 }) => {
  const { scope, services, now_ms } = ctx;
  const merchant = await ctx.transaction((tx) => merchantOf(tx, scope, merchantId));
  const bytes = await drawPicture(base64);
  const id = await ctx.transaction(async (tx) => {
    const noted = await notePicture(tx, services, merchant, { bytes, by_name: askerOf(ctx).name, now_ms, most: MOST });
    await ctx.audit(tx, {
      targetKind: "applyment_file",
      targetId: noted,
      provider: merchant.service_provider_id,
      merchant: merchant.merchant_id,
      after: { bytes: bytes.length },
    });
    return noted;
  });
  await writePicture(services, id, bytes);
  return { id };
});
/**
 * A picture drawn anew as JPEG, so that places and remarks in it stay behind; what is too large for the channel is drawn smaller. It waits
 * for others and takes seconds: never inside a transaction. @throws 400 where it is none
 */
export async function drawPicture(base64: string): Promise<Buffer> {
  // Of a picture that was cleaned: nothing but its pixels comes in.
  const bytes = await jpegPicture(await readPicture(base64, LIMITS), SIDE);
  if (bytes.length > MOST_BYTES) throw invalid("base64", "图片超过 2 MB，请压缩后再传");
  return bytes;
}
/**
 * Writes down that a drawn picture of a merchant's is kept; committed before `writePicture`, so that no file is ever without its row. A row
 * whose file never came does no harm: nobody was told its id. @param given.most of a day, by the same hand @throws 409 after too many
 */
export async function notePicture(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: MerchantRow,
  given: { readonly bytes: Buffer; readonly by_name: string; readonly now_ms: number; readonly most: number },
): Promise<string> {
  const { bytes, by_name, now_ms, most } = given;
  const now = new Date(now_ms).toISOString();
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from applyment_files f where f.service_provider_id = ${service_provider_id}
    and f.merchant_id = ${merchant_id} and f.created_at > ${now}::timestamptz - interval '1 day' and f.by_name = ${by_name}`.execute(tx);
  if (rows[0]!.n >= most) throw conflict("今日上传的图片过多，请明天再试");
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("applyment_files")
    .values({ service_provider_id, id, merchant_id, sha256: sha256(bytes), size_bytes: bytes.length, by_name, created_at: now })
    .execute();
  return id;
}
export async function writePicture({ config }: Pick<Services, "config">, id: string, bytes: Buffer): Promise<void> {
  await openFiles(config).write(id, (sink) => sink(bytes));
}

/** 查看进件图片: each look is in the audit log. */
export const lookAtApplymentFileRoute = implement(lookAtApplymentFile, async (ctx, { id }) => {
  const { tx, scope, services, now_ms } = ctx;
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
  }>`select f.service_provider_id, f.merchant_id from applyment_files f
    where f.id = ${id} and f.gone_at is null and ${inScope(scope, "f", "merchant")}`.execute(tx);
  const [file] = rows;
  if (!file) throw notFound("图片");
  ctx.note({
    targetKind: "applyment_file",
    targetId: id,
    provider: file.service_provider_id,
    merchant: file.merchant_id,
    after: { looked: true },
  });
  return { url: `/api/applyments/file/${linkToken(services, purposeAt(now_ms), id)}` };
});

/** 进件图片: by its signed address, for a minute at most. */
export const getApplymentFileRoute = implement(getApplymentFile, async (ctx, { token }) => {
  const { services, now_ms } = ctx;
  const id = [now_ms, now_ms - SLOT_MS].map((at) => idOfToken(services, purposeAt(at), token)).find((found) => found !== undefined);
  if (id === undefined) throw notFound("图片");
  const { rows } = await ctx.platform("a picture of a dossier", (tx) =>
    sql`select 1 from applyment_files f where f.id = ${id} and f.gone_at is null`.execute(tx),
  );
  if (rows.length === 0) throw notFound("图片");
  const { stream, size_bytes } = await openFiles(services.config)
    .read(id)
    .catch(() => {
      throw notFound("图片");
    });
  return { stream, size_bytes, fileName: `${id}.jpg`, contentType: "image/jpeg" };
});
