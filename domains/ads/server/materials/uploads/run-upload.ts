import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { PLATFORM_ID } from "../../../../level-config/contract/index.ts";
import {
  addUploadPiece,
  cancelUpload,
  listUploads,
  MATERIAL_LIMITS,
  MATERIAL_PIECE_BYTES,
  renewUpload,
  startUpload,
} from "../../../contract/index.ts";
import { dropFiles } from "../drop-files.ts";
import { KEPT_MS, ownerOf, ownUpload, pieceKey, pieceKeys, signedUpload, signUpload, type Upload } from "./policy.ts";

/** So many files of one person may be on their way, and so much may one owner keep, what is on its way counted in. */
const MOST_AT_ONCE = 50;
const MOST_OWNER_BYTES = 20 * 1024 ** 3;
/** As the index has it: a plan for any value would not find it. */
const NONE = sql.lit(PLATFORM_ID);

/** 上传素材: says at once where this content is there already; the same file by the same person goes on where it was cut off. */
export const startUploadRoute = implement(startUpload, async (ctx, { fileName, sizeBytes, contentType, sha256, material_id }) => {
  const limit = MATERIAL_LIMITS[contentType];
  if (sizeBytes > limit.bytes) throw invalid("sizeBytes", `${limit.label}不能超过 ${limit.bytes / 1024 ** 2} MB`);
  const owner = ownerOf(ctx.scope);
  if (material_id) await mustReplace(ctx, material_id, contentType);
  const known = await knownContent(ctx, sha256);
  if (known) return { known, upload: null };
  await mustFit(ctx, sizeBytes, sha256);
  const own = (
    await sql<{
      id: string;
    }>`insert into ad_uploads (id, owner_user_id, service_provider_id, file_name, size_bytes, content_type, sha256, replaces_id, created_at, expires_at)
      values (${ctx.services.ids.uuid(ctx.now_ms)}, ${ctx.principal.id}, ${owner}, ${fileName}, ${sizeBytes}, ${contentType}, ${sha256}, ${material_id ?? null}, ${ctx.now},
        ${new Date(ctx.now_ms + KEPT_MS).toISOString()})
      on conflict (service_provider_id, owner_user_id, sha256, (coalesce(replaces_id, ${NONE}))) where status = 'uploading'
        do update set expires_at = excluded.expires_at, file_name = excluded.file_name returning id`.execute(ctx.tx)
  ).rows[0];
  const upload = own && (await ownUpload(ctx, ctx.tx, own.id));
  if (!upload) throw new Error("an upload without a row");
  if (upload.size_bytes !== sizeBytes || upload.content_type !== contentType) throw invalid("sizeBytes", "文件大小或类型与之前的上传不符");
  ctx.note({
    targetKind: "ad_upload",
    targetId: upload.id,
    provider: ctx.scope.provider,
    after: { fileName, sizeBytes, contentType, sha256, material_id },
  });
  return { known: null, upload: signUpload(ctx, upload) };
});

/** Another content of the same kind takes the place of one's own material. */
async function mustReplace(ctx: Ctx, id: string, contentType: string): Promise<void> {
  const found = await ctx.tx
    .selectFrom("ad_materials")
    .select("kind")
    .where("id", "=", id)
    .where("owner_id", "=", ownerOf(ctx.scope))
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (!found) throw notFound("素材");
  if ((found.kind === 2) !== (contentType === "video/mp4")) throw invalid("contentType", "图片只能换成图片，视频只能换成视频");
}
/** The owner's material with this content, as it is kept or as it came. */
export async function knownContent(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  sha256: string,
): Promise<{ material_id: string; name: string } | undefined> {
  return tx
    .selectFrom("ad_materials")
    .select(["id as material_id", "name"])
    .where("owner_id", "=", ownerOf(scope))
    .where("removed_at", "is", null)
    .where((or) => or.or([or("sha256", "=", sha256), or("source_sha256", "=", sha256)]))
    .executeTakeFirst();
}
/** Those who start uploads for one owner take turns, so that together they don't pass the limit. An upload that goes on is not counted twice. */
async function mustFit(ctx: Ctx, sizeBytes: number, sha256: string): Promise<void> {
  const owner = ownerOf(ctx.scope);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ad uploads ${owner}`}, 0))`.execute(ctx.tx);
  const { rows } = await sql<{ running: number; bytes: number }>`
    with others as (select owner_user_id, size_bytes from ad_uploads where status = 'uploading' and service_provider_id = ${owner}
      and not (owner_user_id = ${ctx.principal.id} and sha256 = ${sha256}))
    select (select count(*)::int from others where owner_user_id = ${ctx.principal.id}) as running, ((select coalesce(sum(size_bytes), 0) from others)
      + (select coalesce(sum(size_bytes), 0) from ad_materials where owner_id = ${owner} and removed_at is null))::bigint as bytes`.execute(
    ctx.tx,
  );
  if ((rows[0]?.running ?? 0) >= MOST_AT_ONCE) throw conflict(`未完成的上传超过 ${MOST_AT_ONCE} 个，请先完成或取消`);
  if ((rows[0]?.bytes ?? 0) + sizeBytes > MOST_OWNER_BYTES) throw conflict("素材空间已满（20 GB），请删除不用的素材");
}

/**
 * Pieces come in their order; one that is counted stays as it came, however often it is sent again. So nobody changes what has come whole
 * while it is looked into.
 */
export const addUploadPieceRoute = implement(addUploadPiece, (ctx, { policy, place, base64 }) =>
  ctx.transaction(async (tx) => {
    const upload = await signedUpload(ctx, tx, policy);
    if (upload.status !== "uploading") throw conflict("上传已经结束");
    if (place > upload.piece_count) throw invalid("place", "分片不连续，请重新上传");
    const bytes = Buffer.from(base64, "base64");
    const before = place * MATERIAL_PIECE_BYTES;
    const due = Math.min(MATERIAL_PIECE_BYTES, upload.size_bytes - before);
    if (bytes.length !== due || due <= 0) throw invalid("base64", "分片大小与文件不符");
    if (place < upload.piece_count) return { pieces: upload.piece_count };
    await openFiles(ctx.services.config).write(pieceKey(upload.id, place), (sink) => sink(bytes));
    const pieces = place + 1;
    await tx
      .updateTable("ad_uploads")
      .set({
        piece_count: pieces,
        done_bytes: Math.min(upload.size_bytes, pieces * MATERIAL_PIECE_BYTES),
        expires_at: new Date(ctx.now_ms + KEPT_MS).toISOString(),
      })
      .where("service_provider_id", "=", upload.service_provider_id)
      .where("id", "=", upload.id)
      .execute();
    return { pieces };
  }),
);

async function running(ctx: Ctx, id: string): Promise<Upload> {
  const upload = await ownUpload(ctx, ctx.tx, id);
  if (!upload) throw notFound("上传");
  if (upload.status !== "uploading") throw conflict("上传已经结束");
  return upload;
}
export const renewUploadRoute = implement(renewUpload, async (ctx, { id }) => {
  const upload = await running(ctx, id);
  ctx.note({ targetKind: "ad_upload", targetId: id });
  return signUpload(ctx, upload);
});
export const cancelUploadRoute = implement(cancelUpload, async (ctx, { id }) => {
  const upload = await running(ctx, id);
  await endUpload(ctx, upload, { status: "cancelled" });
  ctx.note({ targetKind: "ad_upload", targetId: id });
  return { ok: true as const };
});
/** Ends an upload that is held, and has its pieces deleted. */
export async function endUpload(
  ctx: Pick<Ctx, "tx" | "services" | "now">,
  upload: Upload,
  change: { status: "taken" | "cancelled"; material_id?: string },
): Promise<void> {
  await ctx.tx
    .updateTable("ad_uploads")
    .set({ ...change, finished_at: ctx.now })
    .where("service_provider_id", "=", upload.service_provider_id)
    .where("id", "=", upload.id)
    .where("status", "=", "uploading")
    .execute();
  await dropFiles(ctx, pieceKeys(upload));
}

export const listUploadsRoute = implement(listUploads, async (ctx) => {
  const rows = await ctx.tx
    .selectFrom("ad_uploads")
    .select([
      "id",
      "file_name as fileName",
      "size_bytes as sizeBytes",
      "done_bytes as doneBytes",
      "created_at as createdAt",
      "replaces_id as replaces",
    ])
    .where("owner_user_id", "=", ctx.principal.id)
    .where("service_provider_id", "=", ownerOf(ctx.scope))
    .where("status", "=", "uploading")
    .orderBy("created_at")
    .execute();
  return rows as never;
});
