import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import { conflict, forbidden } from "@zhangfang/server/calls/errors.ts";
import { downloadExport, LINK_LIFE_S, linkExport as contract } from "../../contract.ts";
import { mayExport } from "../may-export.ts";
import { ownExport } from "../own-export.ts";
import type { Sources } from "../sources.ts";

/** A ticket for one download. Whoever lost the list since then has lost its files too. */
export function linkExport(sources: Sources): Route {
  return implement(contract, async (ctx, { id }) => {
    const row = await ownExport(ctx, id);
    const source = sources.get(row.source);
    if (!source || !mayExport(ctx.principal, source.access)) throw forbidden();
    if (row.status !== 1) throw conflict(row.status === 3 ? "文件已删除" : "文件还不能下载");
    // What the account may see has changed since: the file would show more than the list does.
    if (row.scope !== ctx.scope.text) throw conflict("可见范围已变化，请重新导出", "export.scope-changed");
    const ticket = newToken();
    await ctx.tx
      .insertInto("export_tickets")
      .values({
        ticket_hash: sha256(ticket),
        owner_user_id: row.owner_user_id,
        export_id: id,
        actor_user_id: ctx.principal.actorId ?? null,
        expires_at: new Date(ctx.now_ms + LINK_LIFE_S * 1000).toISOString(),
      })
      .execute();
    ctx.note({ targetKind: "export_file", targetId: id });
    return { href: `${downloadExport.path}?ticket=${ticket}`, fileName: row.name };
  });
}
