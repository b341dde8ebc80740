import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Route } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import type { ConfigCalls } from "../../contract/index.ts";
import { changesInScope, nodesOf } from "../nodes.ts";
import type { Namespace } from "../read-config.ts";

/** 历史: who changed what at a node from what to what, the newest first. Whoever may not see the node hears of nothing. */
export const listChanges = ({ namespace, calls }: Namespace): Route =>
  implement(calls.history, async (ctx, { item_type, item_id, ckey, cursor, pageSize, withTotal }) => {
    const [node] = await nodesOf(ctx, [{ item_type, item_id }]);
    const where = sql<boolean>`${changesInScope(ctx.scope)} and c.namespace = ${namespace} and c.item_id = ${node?.item_id ?? null} ${ckey ? sql`and c.ckey = ${ckey}` : sql``}`;
    const { rows } = await sql<RowOf<ConfigCalls["history"]>>`
      select c.id, c.save_id as "saveId", c.undoes, c.item_type, c.item_id, ${node?.item_name ?? ""}::text as item_name, c.ckey, c.from_value as "from", c.to_value as "to",
        c.changed_by as "changedBy", c.changed_at as "changedAt", exists (select 1 from config_changes u where u.undoes = c.save_id and u.item_id = c.item_id and u.ckey = c.ckey) as undone
      from config_changes c where ${where} and ${after(cursor, "c.changed_at", "c.id", "timestamptz", true)}
      order by c.changed_at desc, c.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
    return {
      ...page(rows, pageSize, (row) => ({ value: row.changedAt, id: row.id })),
      ...(withTotal && { total: await countRows(ctx.tx, sql`config_changes c where ${where}`) }),
    };
  });
