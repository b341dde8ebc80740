import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openKey, sealKey } from "../accounts/account-keys.ts";
import type { PlatformAccount } from "../accounts/account-of.ts";
import { type Answer, ok, unknown } from "./answers.ts";

const SIGN = platformScope("sign at a platform");
export interface Minted {
  readonly token: string;
  readonly lasts_s: number;
  /** The next one is made from this. */
  readonly refresh?: string;
}
interface TokenRow {
  readonly token_sealed: string | null;
  readonly refresh_sealed: string | null;
  readonly renew_at: string | null;
  readonly ends_at: string | null;
  readonly mine: boolean;
}
interface Row {
  readonly token?: string;
  /** Until when it is this caller's to make one: only its own turn may write. */
  readonly mine?: string;
  readonly refresh?: string | undefined;
  /** What can be used if no new one comes. */
  readonly old?: string;
}
/** Longer than a call for a token lasts. */
const TAKEN_S = 15;
/** After a renewal that failed. */
const AGAIN_S = 60;
const LOOKS = 40;
const LOOK_MS = 100;
/** Before it ends by itself. */
const EARLY_MS = 60_000;

/**
 * The access token of an account or an application. At half of its life one caller makes a new one, under a lock in its row; the others use
 * the old one as long as it lasts, or wait for the new.
 * @param dead a token that the platform has just refused: it is made anew at once
 */
export async function tokenOf(
  services: Services,
  account: PlatformAccount,
  holder: string,
  mint: (refresh: string | undefined) => Promise<Answer<Minted>>,
  dead?: string,
): Promise<Answer<string>> {
  const { service_provider_id, platform } = account;
  const place = (what: string) => `platform_tokens.${what}:${service_provider_id}:${platform}:${holder}`;
  for (let look = 0; look < LOOKS; look++) {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const row: Row = await withScope(services.pool, SIGN, async (tx): Promise<Row> => {
      const { rows } = await sql<TokenRow>`
        insert into platform_tokens as t (service_provider_id, platform, holder) values (${service_provider_id}, ${platform}, ${holder})
        on conflict (service_provider_id, platform, holder) do update set holder = excluded.holder
        returning token_sealed, refresh_sealed, renew_at, ends_at, taken_until is null or taken_until <= ${now} as mine`.execute(tx);
      const found = rows[0]!;
      const token = found.token_sealed === null ? undefined : openKey(services, place("token"), found.token_sealed);
      const lives = token !== undefined && token !== dead && found.ends_at !== null && Date.parse(found.ends_at) - EARLY_MS > now_ms;
      if (lives && (found.renew_at! > now || !found.mine)) return { token };
      if (!found.mine) return {};
      const until = new Date(now_ms + TAKEN_S * 1_000).toISOString();
      await tx
        .updateTable("platform_tokens")
        .set({ taken_until: until })
        .where("service_provider_id", "=", service_provider_id)
        .where("platform", "=", platform)
        .where("holder", "=", holder)
        .execute();
      const refresh = found.refresh_sealed === null ? undefined : openKey(services, place("refresh"), found.refresh_sealed);
      return { mine: until, refresh, ...(lives && { old: token }) };
    });
    if (row.token !== undefined) return ok(row.token);
    if (row.mine !== undefined) return makeOne(row.mine, row.refresh, row.old);
    await wait(LOOK_MS);
  }
  return unknown("等不到新的访问令牌");

  async function makeOne(until: string, refresh: string | undefined, old: string | undefined): Promise<Answer<string>> {
    const minted = await mint(refresh);
    const now_ms = services.clock.now_ms();
    const at = (seconds: number) => new Date(now_ms + seconds * 1_000).toISOString();
    const written = await withScope(services.pool, SIGN, (tx) =>
      tx
        .updateTable("platform_tokens")
        .set({
          taken_until: null,
          // The old one is good for a while: not every call waits for the next try.
          ...(minted.kind !== "ok" && old !== undefined && { renew_at: at(AGAIN_S) }),
          ...(minted.kind === "ok" && {
            token_sealed: sealKey(services, place("token"), minted.value.token),
            renew_at: at(Math.floor(minted.value.lasts_s / 2)),
            ends_at: at(minted.value.lasts_s),
            ...(minted.value.refresh !== undefined && { refresh_sealed: sealKey(services, place("refresh"), minted.value.refresh) }),
          }),
        })
        .where("service_provider_id", "=", service_provider_id)
        .where("platform", "=", platform)
        .where("holder", "=", holder)
        .where("taken_until", "=", until)
        .executeTakeFirst(),
    );
    // Keys were changed meanwhile, or the turn went to somebody else: what these keys made is nobody's.
    if (minted.kind === "ok" && written.numUpdatedRows !== 1n) return unknown("访问令牌刚换过");
    if (minted.kind === "ok") return ok(minted.value.token);
    // The old one is good for a while yet.
    return old === undefined ? minted : ok(old);
  }
}
/**
 * Forgets what old keys made. The transaction has no sight of them by itself.
 * @param grant whether what the next tokens are made from goes too: it belongs to the application and the merchant, not to the secret
 */
export const forgetTokens = (
  tx: Transaction,
  { service_provider_id, platform }: { readonly service_provider_id: string; readonly platform: string },
  holders: readonly string[],
  { grant }: { readonly grant: boolean },
): Promise<unknown> =>
  asPlatform(tx, () =>
    grant
      ? sql`delete from platform_tokens t where t.service_provider_id = ${service_provider_id} and t.platform = ${platform}
      and t.holder = any(${[...holders]}::text[])`.execute(tx)
      : sql`update platform_tokens t set token_sealed = null, renew_at = null, ends_at = null
      where t.service_provider_id = ${service_provider_id} and t.platform = ${platform} and t.holder = any(${[...holders]}::text[])`.execute(
          tx,
        ),
  );
