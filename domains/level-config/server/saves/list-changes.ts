import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import type { ConfigCalls } from "../../contract/index.ts";
import { changesInScope, nodesOf } from "../nodes.ts";
import type { Namespace } from "../namespace.ts";

/** 历史: who changed what at a node from what to what, the newest first. Whoever may not see the node hears of nothing. */
export const listChanges = ({ namespace, calls }: Namespace): Route =>
  implement(calls.history, async (ctx, { item_type, item_id, ckey, ...input }) => {
    const [node] = await nodesOf(ctx, [{ item_type, item_id }]);
    return listPage<RowOf<ConfigCalls["history"]>>(ctx.tx, input, {
      columns: sql`c.id, c.save_id as "saveId", c.undoes, c.item_type, c.item_id, ${node?.item_name ?? ""}::text as item_name, c.ckey, c.from_value as "from", c.to_value as "to",
        c.changed_by as "changedBy", c.changed_at as "changedAt", exists (select 1 from config_changes u where u.service_provider_id = c.service_provider_id and u.undoes = c.save_id and u.item_id = c.item_id and u.ckey = c.ckey) as undone`,
      from: sql`config_changes c`,
      where: sql`${changesInScope(ctx.scope)} and c.namespace = ${namespace} and c.item_id = ${node?.item_id ?? null} ${ckey ? sql`and c.ckey = ${ckey}` : sql``}`,
      order: "c.changed_at",
    });
  });
