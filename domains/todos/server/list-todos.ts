import { sql } from "kysely";
import type { ItemPath, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { sqlState } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, type Transaction } from "@zhangfang/server/database/db.ts";
import { listTodos, MOST_COUNTED } from "../contract/index.ts";
import type { TodoKind, Waiting } from "./todo.ts";

const ROWS = 3;
type Row = OutputOf<typeof listTodos>["todos"][number]["rows"][number];
interface Asked {
  readonly kind: TodoKind;
  readonly waiting: Waiting;
}
interface Counted {
  readonly key: string;
  readonly count: number;
  readonly rows: readonly (Pick<Row, "title" | "since"> & { readonly id: string })[];
}

/** 待办: every kind of the domains whose act the caller holds, counted in one statement. */
export const listTodosRoute = implement(listTodos, async (ctx) => {
  const asked = tiedTo(ctx.services)
    .flatMap(({ todos = [] }) => todos)
    .flatMap((kind) => {
      const waiting = ctx.principal.holds([kind.access].flat()) ? kind.waits(ctx) : undefined;
      return waiting ? [{ kind, waiting }] : [];
    });
  const { found, failed } = await countAll(ctx, asked);
  const byKey = new Map(found.map((one) => [one.key, one]));
  const todos = asked.flatMap(({ kind }) => {
    const counted = byKey.get(kind.key);
    const todo = counted && counted.count > 0 ? shown(ctx, kind, counted) : undefined;
    return todo ? [todo] : [];
  });
  return { todos: todos.toSorted((a, b) => a.urgency - b.urgency), failed: [...failed] };
});

// Undefined where its list is on a screen that the caller does not hold: they would stand before a locked door.
function shown({ principal }: Ctx, kind: TodoKind, { count, rows }: Counted): OutputOf<typeof listTodos>["todos"][number] | undefined {
  const mayOpen = (address: string): boolean => principal.holds([address.split("?")[0] as ItemPath]);
  const list = typeof kind.to === "string" ? kind.to : kind.to(rows[0]?.id ?? "");
  if (!mayOpen(list)) return undefined;
  const addressOf = (id: string): string => {
    const own = kind.opens?.(id) ?? list;
    return mayOpen(own) ? own : list;
  };
  const more = count > MOST_COUNTED;
  return {
    key: kind.key,
    urgency: kind.urgency,
    words: `${more ? `${MOST_COUNTED}+` : count} ${kind.unit}${kind.title}`,
    count: Math.min(count, MOST_COUNTED),
    more,
    act: kind.act,
    to: count === 1 && rows[0] ? addressOf(rows[0].id) : list,
    rows: rows.map(({ id, title, since }) => ({ title: title || kind.title, since, to: addressOf(id) })),
  };
}

/** All together get so long, and each alone so long afterwards; both within the deadline of the call. */
const TOGETHER_MS = 2_500;
const ALONE_MS = 500;
/** Where so many alone took too long the database is busy, and none is asked any more. */
const MOST_SLOW = 4;

// Of all one statement. Where it fails, each alone: one that is broken or slow costs itself.
async function countAll(ctx: Ctx, asked: readonly Asked[]): Promise<{ found: readonly Counted[]; failed: readonly string[] }> {
  if (asked.length === 0) return { found: [], failed: [] };
  // Thirty short statements in one: planning them for these very values would cost more than running them (decision 7).
  await sql`set local plan_cache_mode = force_generic_plan`.execute(ctx.tx);
  const together = await tryCount(ctx, asked, TOGETHER_MS);
  if ("rows" in together) return { found: together.rows, failed: [] };
  const found: Counted[] = [];
  const failed: string[] = [];
  let slow = 0;
  for (const one of asked) {
    const alone = slow < MOST_SLOW ? await tryCount(ctx, [one], ALONE_MS) : undefined;
    if (alone && "rows" in alone) found.push(...alone.rows);
    else failed.push(one.kind.title);
    if (alone && "error" in alone && sqlState(alone.error) === "57014") slow += 1;
  }
  return { found, failed };
}

async function tryCount(
  ctx: Ctx,
  asked: readonly Asked[],
  within_ms: number,
): Promise<{ readonly rows: readonly Counted[] } | { readonly error: unknown }> {
  await sql`set local statement_timeout = ${sql.lit(within_ms)}`.execute(ctx.tx);
  try {
    return { rows: await inSavepoint(ctx.tx, () => count(ctx.tx, asked)) };
  } catch (error) {
    ctx.services.log.error({ err: error, todos: asked.map(({ kind }) => kind.key) }, "to-dos could not be counted");
    return { error };
  }
}

async function count(tx: Transaction, asked: readonly Asked[]): Promise<readonly Counted[]> {
  const parts = asked.map(
    ({
      kind,
      waiting,
    }) => sql`select ${sql.lit(kind.key)} as key, count(*)::int as count, to_json(coalesce((array_agg(json_build_object('id', x.id::text,
        'title', coalesce(x.title, ''), 'since', to_char(coalesce(x.since, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by x.since, x.id))[1:${sql.lit(ROWS)}], '{}')) as rows
      from (select ${waiting.id} as id, ${waiting.title} as title, (${waiting.since})::timestamptz as since from ${waiting.from}
        where ${waiting.where} limit ${sql.lit(MOST_COUNTED + 1)}) x`,
  );
  const { rows } = await sql<Counted>`${sql.join(parts, sql` union all `)}`.execute(tx);
  return rows;
}
