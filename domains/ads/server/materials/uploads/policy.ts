import { createHmac } from "node:crypto";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { sameText } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { PLATFORM_ID } from "../../../../level-config/contract/index.ts";

/** An upload as it lies in the database. */
export interface Upload {
  readonly id: string;
  readonly owner_user_id: string;
  /** Whose the material becomes; nil is the platform's. */
  readonly service_provider_id: string;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly sha256: string;
  readonly replaces_id: string | null;
  readonly material_id: string | null;
  readonly piece_count: number;
  readonly done_bytes: number;
  readonly status: string;
}
/** How long a signature holds; it is renewed for whoever goes on. */
const HOLDS_MS = 600_000;
/** How long what has come is kept after the last piece. */
export const KEPT_MS = 86_400_000;
const COLUMNS = [
  "id",
  "owner_user_id",
  "service_provider_id",
  "file_name",
  "size_bytes",
  "content_type",
  "sha256",
  "replaces_id",
  "material_id",
  "piece_count",
  "done_bytes",
  "status",
] as const;

function signature({ services }: Pick<Ctx, "services">, upload: Upload, until: string): string {
  const { id, owner_user_id, service_provider_id, size_bytes, content_type, sha256, replaces_id } = upload;
  const said = JSON.stringify([id, owner_user_id, service_provider_id, size_bytes, content_type, sha256, replaces_id, until]);
  return createHmac("sha256", derivedKey(services.config.secret, "ad-upload")).update(said).digest("base64url");
}
/** What whoever uploads shows with each piece: whose it is, of how much of what, and until when, all of it signed. */
export function signUpload(ctx: Pick<Ctx, "services" | "now_ms">, upload: Upload) {
  const until_ms = ctx.now_ms + HOLDS_MS;
  const until = until_ms.toString(36);
  return {
    id: upload.id,
    policy: `${upload.id}.${until}.${signature(ctx, upload, until)}`,
    expiresAt: new Date(until_ms).toISOString() as never,
    pieces: upload.piece_count,
  };
}
const unsigned = () => new Refusal(403, "upload.policy", "上传凭证无效，请重新选择文件");

/**
 * The caller's own upload that a policy names, held until the transaction ends.
 * @throws Refusal 403 for what we did not sign for this caller, and where its time is over
 */
export async function signedUpload(ctx: Ctx, tx: Transaction, policy: string): Promise<Upload> {
  const [id = "", until = "", sign = ""] = policy.split(".");
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) || !/^[0-9a-z]{1,12}$/.test(until)) throw unsigned();
  const upload = await ownUpload(ctx, tx, id);
  if (!upload) throw unsigned();
  if (!sameText(sign, signature(ctx, upload, until))) throw unsigned();
  if (Number.parseInt(until, 36) <= ctx.now_ms) throw new Refusal(403, "upload.expired", "上传凭证已过期，请重试");
  return upload;
}
/** Whose what somebody uploads becomes. */
export const ownerOf = ({ provider }: Pick<Scope, "provider">): string => provider ?? PLATFORM_ID;
/** An upload of the caller's own, held until the transaction ends. */
export const ownUpload = (ctx: Ctx, tx: Transaction, id: string): Promise<Upload | undefined> =>
  tx
    .selectFrom("ad_uploads")
    .select(COLUMNS)
    .where("service_provider_id", "=", ownerOf(ctx.scope))
    .where("id", "=", id)
    .where("owner_user_id", "=", ctx.principal.id)
    .forUpdate()
    .executeTakeFirst();

/** Where a piece lies in the file store. */
export const pieceKey = (id: string, place: number): string => `ad-${id}-${place}`;
/** Every piece that an upload may have: one more than was counted, since one may have been written whose count was not. */
export const pieceKeys = ({ id, piece_count }: Pick<Upload, "id" | "piece_count">): string[] =>
  Array.from({ length: piece_count + 1 }, (_, place) => pieceKey(id, place));
