import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openRefresh, openToken, sealRefresh, sealToken } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";

const SIGN = platformScope("a token of an official account");
export interface TokenOwner {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface Minted {
  readonly token: string;
  readonly lasts_s: number;
  /** What makes the next token of an authorised account, where WeChat gave one. */
  readonly refresh?: string | undefined;
}
/** How the next token is asked for: by force, or by what makes it. */
export interface Asked {
  readonly force: boolean;
  readonly refresh: string | null;
}
/** A token in an answer of WeChat's, by the name that it has there. */
export function mintedOf(
  answer: WechatJson,
  name: "access_token" | "component_access_token" | "authorizer_access_token",
): WechatAnswer<Minted> {
  const { [name]: token, expires_in: lasts_s, authorizer_refresh_token: refresh } = answer;
  if (typeof token !== "string" || token === "" || typeof lasts_s !== "number") return { kind: "unknown", reason: "微信没有给出访问令牌" };
  return { kind: "ok", value: { token, lasts_s, refresh: typeof refresh === "string" && refresh !== "" ? refresh : undefined } };
}
interface TokenRow {
  readonly token_sealed: string | null;
  readonly refresh_sealed: string | null;
  readonly ends_at: string | null;
  readonly mine: boolean;
  readonly may_force: boolean;
}
/** Longer than a call for a token lasts; that of an authorised account may have to ask for its component's first. */
const [TAKEN_S, TAKEN_BY_COMPONENT_S] = [15, 75];
const LOOKS = 160;
const LOOK_MS = 100;
/** WeChat keeps the old token good for the last five minutes of its life, while it gives the next one. */
const EARLY_MS = 240_000;
/** By WeChat's rule: so often a day, and so far apart. */
const FORCED_A_DAY = 20;
const FORCED_APART_S = 31;

/** What stands in the row, if it is good for long enough. Nothing is written: most calls need no more. */
export function livingToken(
  services: Services,
  app: TokenOwner,
  { token_sealed, ends_at }: { readonly token_sealed: string | null; readonly ends_at: string | null },
): string | undefined {
  if (token_sealed === null || Date.parse(ends_at!) - EARLY_MS <= services.clock.now_ms()) return undefined;
  return openToken(services, app, token_sealed);
}
/**
 * The access token of an account or a component: one for all processes, in one row. Whoever finds it missing or ending asks WeChat for the next under a lock in that
 * row; the others wait for it.
 * @param dead a token that WeChat has just refused, and whether it has to be replaced by force (40001)
 * @throws what `mint` throws
 */
export async function tokenOf(
  services: Services,
  app: TokenOwner,
  mint: (asked: Asked) => Promise<WechatAnswer<Minted>>,
  dead?: { readonly token: string; readonly force: boolean },
): Promise<WechatAnswer<string>> {
  const { service_provider_id, id } = app;
  for (let look = 0; look < LOOKS; look++) {
    const now_ms = services.clock.now_ms();
    const at = (seconds: number) => new Date(now_ms + seconds * 1_000).toISOString();
    const day = shanghaiDay(now_ms);
    const row = await withScope(services.pool, SIGN, async (tx) => {
      const { rows } = await sql<TokenRow>`
        insert into wx_app_tokens as t (service_provider_id, app_row) values (${service_provider_id}, ${id})
        on conflict (service_provider_id, app_row) do update set app_row = excluded.app_row
        returning token_sealed, refresh_sealed, ends_at, taken_until is null or taken_until <= ${at(0)} as mine,
          (forced_day is distinct from ${day}::date or forced_count < ${FORCED_A_DAY})
            and (forced_at is null or forced_at <= ${at(-FORCED_APART_S)}) as may_force`.execute(tx);
      const found = rows[0]!;
      const token = found.token_sealed === null ? undefined : openToken(services, app, found.token_sealed);
      const lives = token !== undefined && token !== dead?.token && Date.parse(found.ends_at!) - EARLY_MS > now_ms;
      if (lives) return { token };
      if (!found.mine) return {};
      const refresh = found.refresh_sealed === null ? null : openRefresh(services, app, found.refresh_sealed);
      const until = at(refresh === null ? TAKEN_S : TAKEN_BY_COMPONENT_S);
      const force = dead?.force === true && token === dead.token && found.may_force && refresh === null;
      await sql`update wx_app_tokens t set taken_until = ${until},
          forced_at = case when ${force} then ${at(0)} else forced_at end, forced_day = case when ${force} then ${day}::date else forced_day end,
          forced_count = case when not ${force} then forced_count when forced_day = ${day}::date then forced_count + 1 else 1 end
        where t.service_provider_id = ${service_provider_id} and t.app_row = ${id}`.execute(tx);
      return { mine: { until, force, refresh, made_from: found.refresh_sealed } };
    });
    if (row.token !== undefined) return { kind: "ok", value: row.token };
    if (row.mine) return makeOne(services, app, row.mine, mint);
    await wait(LOOK_MS);
  }
  return { kind: "unknown", reason: "等不到新的访问令牌" };
}
async function makeOne(
  services: Services,
  app: TokenOwner,
  { until, made_from, ...asked }: Asked & { readonly until: string; readonly made_from: string | null },
  mint: (asked: Asked) => Promise<WechatAnswer<Minted>>,
): Promise<WechatAnswer<string>> {
  const minted = await mint(asked);
  const ends_at = minted.kind === "ok" && new Date(services.clock.now_ms() + minted.value.lasts_s * 1_000).toISOString();
  const renews = minted.kind === "ok" && minted.value.refresh !== undefined;
  const written = await withScope(services.pool, SIGN, (tx) =>
    tx
      .updateTable("wx_app_tokens")
      .set({
        taken_until: null,
        ...(minted.kind === "ok" && { token_sealed: sealToken(services, app, minted.value.token), ends_at }),
        ...(minted.kind === "ok" &&
          minted.value.refresh !== undefined && { refresh_sealed: sealRefresh(services, app, minted.value.refresh) }),
      } as never)
      .where("service_provider_id", "=", app.service_provider_id)
      .where("app_row", "=", app.id)
      // The old refresh token is used up: the next is kept also by who comes too late for their turn.
      .where(({ or, eb }) =>
        or([eb("taken_until", "=", until), ...(renews && made_from !== null ? [eb("refresh_sealed", "=", made_from)] : [])]),
      )
      .executeTakeFirst(),
  );
  if (minted.kind !== "ok") return minted;
  // The secret was changed meanwhile, or the turn went to somebody else: what this one made is nobody's.
  return written.numUpdatedRows === 1n ? { kind: "ok", value: minted.value.token } : { kind: "unknown", reason: "访问令牌刚换过" };
}

/** Forgets what an old secret or authorisation made. The transaction has no sight of it by itself. */
export const forgetToken = (tx: Transaction, { service_provider_id, id }: TokenOwner): Promise<unknown> =>
  asPlatform(tx, () =>
    sql`update wx_app_tokens t set token_sealed = null, ends_at = null, taken_until = null, refresh_sealed = null
      where t.service_provider_id = ${service_provider_id} and t.app_row = ${id}`.execute(tx),
  );
/** Keeps what an authorisation brought. Whoever asks for a token at this moment brings nothing more. In the scope of the platform. */
export const keepToken = (
  tx: Transaction,
  services: Services,
  app: TokenOwner,
  { token, lasts_s, refresh = "" }: Minted,
): Promise<unknown> => {
  const ends_at = new Date(services.clock.now_ms() + lasts_s * 1_000).toISOString();
  const [token_sealed, refresh_sealed] = [sealToken(services, app, token), sealRefresh(services, app, refresh)];
  return sql`insert into wx_app_tokens as t (service_provider_id, app_row, token_sealed, refresh_sealed, ends_at)
    values (${app.service_provider_id}, ${app.id}, ${token_sealed}, ${refresh_sealed}, ${ends_at})
    on conflict (service_provider_id, app_row) do update set token_sealed = excluded.token_sealed, refresh_sealed = excluded.refresh_sealed,
      ends_at = excluded.ends_at, taken_until = null`.execute(tx);
};
