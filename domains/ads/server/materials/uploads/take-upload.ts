import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { uploadCallback } from "../../../contract/index.ts";
import { dropFiles } from "../drop-files.ts";
import { wakeDevices } from "../wake-devices.ts";
import { type Content, lookInto, NotTaken } from "./look-into.ts";
import { ownerOf, signedUpload, type Upload } from "./policy.ts";
import { endUpload, knownContent } from "./run-upload.ts";

type Kept = Omit<Content, "small"> & { readonly file_key: string; readonly thumb_key: string | null };
const FIELDS = ["id as material_id", "name", "status as audit_status", "sha256"] as const;

/**
 * 素材上传完成: takes in what our own start signed and nothing else. Looks into the content between two short transactions; what is kept
 * of it becomes a material that nobody has looked at yet, or the new content of one.
 */
export const uploadCallbackRoute = implement(uploadCallback, (ctx, given) =>
  alone(given.policy.split(".")[0] ?? "", () => lookAndTake(ctx, given)),
);

const looking = new Map<string, Promise<unknown>>();
/** One look into an upload at a time: each writes a copy of the file, and many at once would fill the disk. Whoever waited finds it taken. */
async function alone<T>(upload: string, look: () => Promise<T>): Promise<T> {
  const before = looking.get(upload);
  const run = before ? before.then(look, look) : look();
  looking.set(upload, run);
  try {
    return await run;
  } finally {
    if (looking.get(upload) === run) looking.delete(upload);
  }
}

async function lookAndTake(ctx: Ctx, { policy, name, thumb }: ParsedOf<typeof uploadCallback>): Promise<OutputOf<typeof uploadCallback>> {
  const upload = await ctx.transaction((tx) => signedUpload(ctx, tx, policy));
  if (upload.status === "taken" && upload.material_id) return ctx.transaction((tx) => answer(tx, upload.material_id ?? ""));
  if (upload.status !== "uploading") throw conflict("上传已经结束");
  if (upload.done_bytes !== upload.size_bytes) throw conflict("文件还没有传完");
  const files = openFiles(ctx.services.config);
  const file_key = `ad-${ctx.services.ids.uuid(ctx.now_ms)}`;
  const small_key = `${file_key}-small`;
  try {
    const { small, ...content } = await lookInto(files, upload, file_key, thumb);
    const thumb_key = small ? small_key : null;
    if (small) await files.write(small_key, (sink) => sink(small));
    return await ctx.transaction((tx) => take(ctx, tx, policy, { ...content, file_key, thumb_key }, name));
  } catch (error) {
    // Where the answer to the commit was lost the material may stand, and its file with it.
    if (!(error instanceof NotTaken) && (await ctx.transaction((tx) => isNamed(tx, file_key)))) throw error;
    // Nothing names these files; what another run of the same call took has its own.
    await Promise.all([file_key, small_key].map((key) => files.remove(key)));
    if (!(error instanceof NotTaken)) throw error;
    await ctx.transaction(async (tx) => {
      await endUpload({ tx, services: ctx.services, now: ctx.now }, upload, { status: "cancelled" });
      await ctx.audit(tx, { targetKind: "ad_upload", targetId: upload.id, after: { refused: error.message, fileName: upload.file_name } });
    });
    throw new Refusal(400, "material.content", error.message);
  }
}

const isNamed = async (tx: Ctx["tx"], file_key: string): Promise<boolean> =>
  (await tx.selectFrom("ad_materials").select("id").where("file_key", "=", file_key).executeTakeFirst()) !== undefined;

const answer = (tx: Ctx["tx"], id: string) =>
  tx.selectFrom("ad_materials").select(FIELDS).where("id", "=", id).executeTakeFirstOrThrow() as never;

async function take(ctx: Ctx, tx: Ctx["tx"], policy: string, kept: Kept, name: string | undefined) {
  const upload = await signedUpload(ctx, tx, policy);
  if (upload.status === "taken" && upload.material_id) {
    await dropFiles({ tx, services: ctx.services }, [kept.file_key, kept.thumb_key ?? kept.file_key]);
    return answer(tx, upload.material_id);
  }
  if (upload.status !== "uploading") throw conflict("上传已经结束");
  const same = (await knownContent({ tx, scope: ctx.scope }, kept.sha256)) ?? (await knownContent({ tx, scope: ctx.scope }, upload.sha256));
  if (same) throw new NotTaken(`内容与素材「${same.name}」相同`);
  const { contentType: content_type, kind, ...found } = kept;
  const row = { ...found, content_type, source_sha256: upload.sha256, updated_at: ctx.now };
  const id = upload.replaces_id ? await replace(ctx, tx, upload.replaces_id, row) : await add(ctx, tx, upload, { ...row, kind }, name);
  await tx
    .insertInto("ad_material_audits")
    .values({
      id: ctx.services.ids.uuid(ctx.now_ms),
      owner_id: ownerOf(ctx.scope),
      material_id: id,
      sha256: kept.sha256,
      status: 0,
      user_id: ctx.principal.id,
      by_name: ctx.principal.name,
      at: ctx.now,
    })
    .execute();
  await endUpload({ tx, services: ctx.services, now: ctx.now }, upload, { status: "taken", material_id: id });
  await ctx.audit(tx, {
    targetKind: "ad_material",
    targetId: id,
    provider: ctx.scope.provider,
    after: { fileName: upload.file_name, sha256: kept.sha256, sizeBytes: kept.size_bytes, replaces: upload.replaces_id },
  });
  return answer(tx, id);
}
type Row = Omit<Content, "contentType" | "kind" | "small"> & {
  readonly content_type: string;
  readonly file_key: string;
  readonly thumb_key: string | null;
  readonly source_sha256: string;
  readonly updated_at: string;
};

async function add(
  ctx: Ctx,
  tx: Ctx["tx"],
  upload: Upload,
  row: Row & { readonly kind: 1 | 2 },
  name: string | undefined,
): Promise<string> {
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const own = upload.file_name.replace(/\.[A-Za-z0-9]{1,5}$/, "").slice(0, 60);
  await tx
    .insertInto("ad_materials")
    .values({
      ...row,
      id,
      service_provider_id: ctx.scope.provider ?? null,
      name: name || own || "素材",
      created_by: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  return id;
}
/** Another content is looked at anew, whatever was said of the one before; what showed it shows it no more. */
async function replace(ctx: Ctx, tx: Ctx["tx"], id: string, row: Row): Promise<string> {
  const before = await tx
    .selectFrom("ad_materials")
    .select(["file_key", "thumb_key", "status", "revision"])
    .where("id", "=", id)
    .where("owner_id", "=", ownerOf(ctx.scope))
    .where("removed_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw new NotTaken("素材已被删除");
  await tx
    .updateTable("ad_materials")
    .set({ ...row, status: 0, reason: null, approved_sha256: null, audited_by: null, audited_at: null, revision: before.revision + 1 })
    .where("id", "=", id)
    .execute();
  await dropFiles({ tx, services: ctx.services }, [before.file_key, before.thumb_key ?? before.file_key]);
  if (before.status === 1) await wakeDevices(tx, [id]);
  return id;
}
