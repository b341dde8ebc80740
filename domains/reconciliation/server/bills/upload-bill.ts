import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addBillPiece, cancelBill, finishBillUpload, MOST_UPLOAD_BYTES, PIECE_BYTES, startBillUpload } from "../../contract/index.ts";
import { mustSeeWhole } from "../rows.ts";
import { addBill } from "./add-bill.ts";
import { importBill } from "./import-bill.ts";
import { mustBeBill, readMerchant } from "./own-merchant.ts";
import { pieceKey } from "./run.ts";

export const startBillUploadRoute = implement(startBillUpload, async (ctx, given) => {
  const merchant = await readMerchant(ctx.tx, ctx.scope, given.merchantId);
  const ref = { ...merchant, source: given.source, day: given.day };
  await mustBeBill(ctx.tx, ref, { type: given.type, now_ms: ctx.now_ms });
  const id = await addBill(ctx.tx, ctx.services, ref, {
    type: given.type,
    origin: "upload",
    status: "uploading",
    fileName: given.fileName,
    sizeBytes: given.sizeBytes,
    by: { id: ctx.principal.id, name: ctx.principal.name },
  });
  ctx.note({
    targetKind: "bill_file",
    targetId: id,
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
    after: { day: given.day, source: given.source, type: given.type, fileName: given.fileName, sizeBytes: given.sizeBytes },
  });
  return { id };
});

async function hold(ctx: Ctx, id: string) {
  mustSeeWhole(ctx.scope);
  const found = await ctx.tx
    .selectFrom("bill_files as f")
    .select(["f.service_provider_id", "f.id", "f.merchant_id", "f.status", "f.piece_count", "f.size_bytes", "f.done_bytes", "f.day"])
    .where("f.id", "=", id)
    .where(inScope(ctx.scope, "f", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("账单导入");
  return found;
}

/** Pieces come in their order; one that comes again is written over. */
export const addBillPieceRoute = implement(addBillPiece, async (ctx, { id, place, base64 }) => {
  const found = await hold(ctx, id);
  if (found.status !== "uploading") throw conflict("上传已经结束");
  if (place > found.piece_count) throw invalid("place", "分片不连续，请重新上传");
  const bytes = Buffer.from(base64, "base64");
  const before = place * PIECE_BYTES;
  if (bytes.length > PIECE_BYTES || before + bytes.length > Math.min(found.size_bytes, MOST_UPLOAD_BYTES))
    throw invalid("base64", "内容超过文件大小");
  await openFiles(ctx.services.config).write(pieceKey(id, place), (sink) => sink(bytes));
  const done_bytes = Math.max(found.done_bytes, before + bytes.length);
  await ctx.tx
    .updateTable("bill_files")
    .set({ piece_count: Math.max(found.piece_count, place + 1), done_bytes })
    .where("service_provider_id", "=", found.service_provider_id)
    .where("id", "=", id)
    .execute();
  ctx.note({ targetKind: "bill_file", targetId: id, provider: found.service_provider_id, merchant: found.merchant_id, after: { place } });
  return { sizeBytes: done_bytes };
});

export const finishBillUploadRoute = implement(finishBillUpload, async (ctx, { id }) => {
  const found = await hold(ctx, id);
  if (found.status !== "uploading") throw conflict("上传已经结束");
  if (found.done_bytes !== found.size_bytes) throw conflict("文件还没有传完");
  mustChange(
    await ctx.tx
      .updateTable("bill_files")
      .set({ status: "waiting", done_bytes: 0 })
      .where("service_provider_id", "=", found.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", "uploading")
      .executeTakeFirst(),
    () => conflict("上传已经结束"),
  );
  await ctx.services.jobs.enqueue(ctx.tx, importBill, { service_provider_id: found.service_provider_id, id });
  ctx.note({ targetKind: "bill_file", targetId: id, provider: found.service_provider_id, merchant: found.merchant_id });
  return { ok: true as const };
});

export const cancelBillRoute = implement(cancelBill, async (ctx, { id }) => {
  const found = await hold(ctx, id);
  if (found.status !== "uploading" && found.status !== "waiting") throw conflict("已在处理，不能取消");
  mustChange(
    await ctx.tx
      .updateTable("bill_files")
      .set({ status: "failed", failure: "已取消", finished_at: ctx.now, next_try_at: null })
      .where("service_provider_id", "=", found.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", found.status)
      .executeTakeFirst(),
    () => conflict("状态已变化，请刷新后查看"),
  );
  ctx.note({ targetKind: "bill_file", targetId: id, provider: found.service_provider_id, merchant: found.merchant_id });
  return { ok: true as const };
});
