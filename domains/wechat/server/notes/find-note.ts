import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { NoteAudience, NoteContent } from "../../contract/index.ts";

export interface NoteHead {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly app_row: string;
  readonly name: string;
  readonly state: string;
  readonly kind: "text" | "picture" | "article";
  readonly content: NoteContent;
  readonly audience: NoteAudience;
  readonly starts_at: string | null;
  readonly paused: boolean;
  readonly revision: number;
  readonly made_by: string;
  readonly media_id: string | null;
  readonly media_at: string | null;
  readonly cover_id: string | null;
  readonly ended_at: string | null;
  readonly verdict: string | null;
  readonly verdict_by: string | null;
  readonly updated_at: string;
}
/** A note in sight, held to the end. @throws 404 */
export async function heldNote({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<NoteHead> {
  const found = await tx
    .selectFrom("wx_notes as n")
    .selectAll("n")
    .where("n.id", "=", id)
    .where(inScope(scope, "n", "merchant"))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("群发");
  return found as never;
}
export const changed = () => conflict("群发的状态已变化，请刷新后查看", "note.changed");
/** Whether the caller made it, or acts through who did. */
export const isMaker = ({ principal }: Pick<Ctx, "principal">, { made_by }: Pick<NoteHead, "made_by">): boolean =>
  made_by === principal.id || made_by === principal.actorId;
export const mustBeAnother = (ctx: Pick<Ctx, "principal">, note: NoteHead): void => {
  if (isMaker(ctx, note)) throw new Refusal(403, "second-person", "须由另一人审核，不能审核自己提交的");
};
export const told = (ctx: Ctx, { service_provider_id, merchant_id, id, state }: NoteHead, after: object) =>
  ctx.note({ targetKind: "wx_note", targetId: id, provider: service_provider_id, merchant: merchant_id, before: { state }, after });
