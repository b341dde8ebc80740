import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { sqlState } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, planOnce } from "@zhangfang/server/database/db.ts";
import { type Among, soughtBy, type Sought as ByName } from "@zhangfang/server/lists/found-by.ts";
import { find } from "../contract/index.ts";
import { type Finder, type Found, type Sought, soughtOf } from "./finder.ts";

/** 搜索: every kind of thing that the text can name and the caller may open, the nearest first. */
export const findRoute = implement(find, async (ctx, { text }) => {
  const mine = tiedTo(ctx.services)
    .flatMap(({ finders = [] }) => finders)
    .filter(({ access }) => ctx.principal.holds([access].flat()));
  const sought = soughtOf(text, ctx.now_ms);
  // A dozen short statements: planning each for its text would cost more than running all of them (decision 7).
  planOnce(ctx.tx);
  const asked = text === "" ? [] : mine.filter((finder) => finder.match(sought));
  const answer = await askAll(ctx, asked, sought, lookedUp(ctx, asked, sought));
  return { ...answer, kinds: [...new Set(mine.flatMap(({ promise }) => promise ?? []))] };
});

type Names = (by: ByName) => Promise<Among>;
/** What the index of names holds for each of these: one statement, sent when the first asks. Whoever fails with it costs every group that needs it. */
function lookedUp({ tx }: Ctx, finders: readonly Finder[], { text, digits }: Sought): Names {
  const kinds = [...new Set(finders.flatMap(({ by }) => by ?? []))];
  let found: Promise<Among[]> | undefined;
  return async (by) => (await (found ??= soughtBy(tx, digits ?? text, kinds)))[kinds.indexOf(by)]!;
}
interface Asked extends Found {
  readonly finder: Finder;
}
/** Nobody is asked any more after so long: a dozen slow ones would keep a connection, and somebody who typed on. */
const ASKS_MS = 2_000;
// One savepoint for all, as long as none fails; one that does costs its own group, and the rest goes on in a new one. Where one ran out of
// time the database is busy: the rest is not asked.
async function askAll(ctx: Ctx, finders: readonly Finder[], sought: Sought, names: Names) {
  const answered: Asked[] = [];
  const failed: string[] = [];
  let until = performance.now() + ASKS_MS;
  for (let next = 0; next < finders.length;) {
    const all = async () => {
      for (; next < finders.length && performance.now() < until; next++) answered.push(await askOne(ctx, finders[next]!, sought, names));
    };
    await inSavepoint(ctx.tx, all).catch(async (error: unknown) => {
      if (sqlState(error) !== "57014" && (await onStandby(ctx))) throw error;
      const { kind, title } = finders[next++]!;
      ctx.services.log.error({ err: error, finder: kind }, "a finder failed");
      failed.push(title);
      if (sqlState(error) === "57014") until = 0;
    });
    if (performance.now() < until) continue;
    failed.push(...finders.slice(next).map(({ title }) => title));
    break;
  }
  return {
    groups: answered.flatMap(grouped).toSorted((a, b) => a.items[0]!.near - b.items[0]!.near),
    failed,
    recent: answered.filter(({ recent }) => recent).map(({ finder }) => finder.title),
    byAmount: answered.filter(({ byAmount }) => byAmount).map(({ finder }) => finder.title),
  };
}
/** It may be gone, replay over what is read, or not have yet what a migration made: the primary is asked then, and this is nobody's answer. */
async function onStandby({ tx }: Ctx): Promise<boolean> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(tx);
  return rows[0]!.standby;
}
async function askOne(ctx: Ctx, finder: Finder, sought: Sought, names: Names): Promise<Asked> {
  const found = await finder.find(ctx, finder.by ? { ...sought, among: await names(finder.by) } : sought);
  return "hits" in found ? { finder, ...found } : { finder, hits: found, recent: false };
}
const grouped = ({ finder: { kind, title }, hits }: Asked) =>
  hits.length === 0 ? [] : [{ kind, title, items: hits.map((hit) => ({ near: 0 as const, acts: {}, ...hit })) }];
