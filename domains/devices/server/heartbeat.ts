import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx, type Principal } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { heartbeat } from "../contract/index.ts";
import { badSignature, checkDevice } from "./check-device.ts";
import { forgetDevice } from "./known-devices.ts";

/** So many heartbeats are remembered: as many as a device sends within the ten minutes in which a moment passes, and some more. */
const REMEMBERED = 16;

/**
 * A device says that it is there; online and offline follow from when it last did. The answer lets it set its clock.
 *
 * Tens of thousands come each minute, so that it is one statement: the signature was checked with a key that this process knows
 * (check-device.ts), and the statement writes only where key, place and everything above are still what that check took them for.
 * It also remembers the heartbeat, in place of a nonce: the newest moments stand in the device's own row, one comes once, and none
 * comes that is older than all of them. So nothing that was taken is taken again, whichever process it comes to and whoever
 * started anew meanwhile, and nothing has to be put into a table of its own and purged.
 */
export const heartbeatRoute = implement(heartbeat, async (ctx, input) => {
  if (await write(ctx, ctx.principal, input)) return { ok: true as const, now: ctx.now as never };
  // Perhaps it stands elsewhere by now, or is closed: it is looked at as if nobody knew it.
  forgetDevice(ctx.services, ctx.principal.name);
  if (await write(ctx, await checkDevice(ctx.services, ctx.incoming), input)) return { ok: true as const, now: ctx.now as never };
  throw badSignature();
});

/** A heartbeat as a number: its moment, and twenty bits of its nonce for another one in the same millisecond. */
const beatOf = (timestamp = "", nonce = ""): string =>
  String(BigInt(timestamp) * 0x10_0000n + BigInt(sha256(nonce).readUIntBE(0, 3) & 0xf_ffff));

async function write(
  ctx: Ctx,
  { id, scope, keySealed }: Principal & { keySealed?: string },
  given: ParsedOf<typeof heartbeat>,
): Promise<boolean> {
  const { version, storageTotalMb: total, storageFreeMb: free } = given;
  const beat = beatOf(ctx.incoming.headers["x-timestamp"], ctx.incoming.headers["x-nonce"]);
  const result = await withScope(ctx.services.pool, scope, (tx) =>
    sql`update devices d set last_seen_at = ${ctx.now}::timestamptz, version = coalesce(${version ?? null}, d.version),
        storage_total_mb = coalesce(${total ?? null}, d.storage_total_mb), storage_free_mb = case when ${total ?? null}::int is null then d.storage_free_mb else ${free ?? null} end,
        beats = (array(select x from unnest(d.beats || ${beat}::bigint) x order by x desc))[1:${sql.lit(REMEMBERED)}]
      from stores s, merchants m, service_providers p
      where d.service_provider_id = ${scope.provider ?? null} and d.id = ${id} and d.state = 'active' and d.key_sealed = ${keySealed ?? null}
        and s.service_provider_id = d.service_provider_id and s.id = d.store_id and s.id = ${scope.stores?.[0] ?? null} and s.state = 'active'
        and m.service_provider_id = d.service_provider_id and m.id = d.merchant_id and m.state = 'active' and p.id = d.service_provider_id and p.state = 'active'
        and not (${beat}::bigint = any(d.beats)) and (cardinality(d.beats) < ${sql.lit(REMEMBERED)} or ${beat}::bigint > d.beats[${sql.lit(REMEMBERED)}])`.execute(
      tx,
    ),
  );
  return result.numAffectedRows === 1n;
}
