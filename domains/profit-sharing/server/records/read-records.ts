import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { sharingRecord } from "../../contract/index.ts";
import { ITEMS } from "../rows.ts";
import { isLong } from "../tell-waiting.ts";
import type { Kind } from "./subject.ts";

type Shown = z.input<typeof sharingRecord>;
interface Of {
  readonly service_provider_id: string;
  readonly id: string;
  readonly status: number;
  /** Since when the channel owes an answer. */
  readonly since: string;
}

/** What people said of a share or a return in sight, the newest last, and whether the caller may say something now. */
export async function recordsOf(ctx: Ctx, kind: Kind, of: Of): Promise<{ records: Shown[]; recordable: boolean }> {
  const may = ctx.principal.holds([kind === "share" ? ITEMS.record : ITEMS.recordReturn]);
  const { rows } = await sql<Omit<Shown, "decidable"> & { readonly byUser: string }>`
    select r.id, r.result, r.channel_no as "channelNo", r.happened_on as "happenedOn", r.note, r.state, r.by_user as "byUser", r.by_name as "byName",
      r.created_at as "createdAt", r.decided_by_name as "decidedByName", r.decided_at as "decidedAt", r.decision_note as "decisionNote",
      r.answered_at as "answeredAt", r.difference,
      array(select l.alias from sharing_lines l where l.service_provider_id = r.service_provider_id and l.id = any(r.line_ids) order by l.position) as aliases
    from sharing_records r where r.service_provider_id = ${of.service_provider_id}
      and ${kind === "share" ? sql`r.sharing_id` : sql`r.return_id`} = ${of.id} order by r.created_at, r.id`.execute(ctx.tx);
  const isSelf = (user: string) => user === ctx.principal.id || user === ctx.principal.actorId;
  const open = rows.some(({ state }) => state === "waiting" || state === "confirmed");
  return {
    records: rows.map(({ byUser, ...row }) => ({ ...row, decidable: may && row.state === "waiting" && !isSelf(byUser) })),
    recordable: may && !open && of.status === 1 && isLong(of.since, ctx.now_ms),
  };
}
