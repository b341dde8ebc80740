import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { z } from "zod";
import { listServiceProviders, listServiceProvidersShort, LOOKUP_LIMIT, type providerEntry } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { providersInScope } from "./fences.ts";

/** The providers in sight: all for the platform, everybody else's own. */
async function find(ctx: Ctx, keyword: string | undefined): Promise<z.input<typeof providerEntry>[]> {
  const found = await sql<z.input<typeof providerEntry>>`
    select p.id, p.name, p.short_name as "shortName", p.number, p.state from service_providers p
    where ${providersInScope(ctx.scope)} ${keyword ? sql`and (p.name ilike ${likeText(keyword)} or p.number = ${keyword})` : sql``}
    order by p.created_at, p.id limit ${LOOKUP_LIMIT}`.execute(ctx.tx);
  return found.rows;
}
export const listServiceProvidersRoute = implement(listServiceProviders, (ctx, { keyword }) => find(ctx, keyword));
export const listServiceProvidersShortRoute = implement(listServiceProvidersShort, async (ctx, { keyword }) =>
  (await find(ctx, keyword)).map((row) => ({ id: row.id, name: row.shortName })),
);
