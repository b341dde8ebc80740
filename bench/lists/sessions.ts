import pg from "pg";
import { endSessions } from "@zhangfang/domains/accounts/server/index.ts";
import { setNodeState } from "@zhangfang/domains/organisation/server/index.ts";
import { systemClock, systemIds } from "@zhangfang/server/clock.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { RUNTIME_ROLE } from "@zhangfang/server/database/migrate.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { idOf, MERCHANTS, sqlIdOf } from "../actors.ts";
import { atMost, median, type Line } from "../figures.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";

const EACH = 5;
const ROUNDS = sized(5, 1);
const LIMIT_MS = 1_000;
const P1 = idOf("provider", 1);

/** Closing a provider with 1,000 merchants while five people of each are signed in: from the call to the commit. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const { connection } = worlds.at(-1)!;
  const owner = new pg.Client(connection);
  await owner.connect();
  const pool = openPool({ connection: { ...connection, user: RUNTIME_ROLE }, size: 2 });
  const services = { clock: systemClock, ids: systemIds } as Services;
  const n = "100000 + m * 10 + e";
  const people = `generate_series(1, ${MERCHANTS}) m, generate_series(1, ${EACH}) e`;
  try {
    await owner.query(`insert into users (id, login, root_login, first_name, password_hash, level, role, service_provider_id, merchant_id)
      select ${sqlIdOf("user", n)}, 'bench-' || (${n}), 'bench-' || (${n}), '人', '-', 'MCH', 'ROLE_Merchants', '${P1}', ${sqlIdOf("merchant", "m")} from ${people}`);
    const took_ms: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await owner.query(`insert into sessions (token_hash, id, user_id, created_at, seen_at, idle_ms, expires_at)
        select sha256(convert_to('bench-${round}-' || (${n}), 'UTF8')), gen_random_uuid(), ${sqlIdOf("user", n)}, now(), now(), 1800000, now() + interval '12 hours' from ${people}`);
      await owner.query("analyze users, sessions");
      const begun_ms = performance.now();
      const ended = await withScope(pool, platformScope("bench"), async (tx) => {
        const node = { kind: "provider", serviceProviderId: P1, id: P1 } as const;
        await setNodeState(tx, services, node, "disabled");
        // Nothing is left: setNodeState has ended them all.
        return endSessions(tx, services, { subtree: node }, "again");
      });
      took_ms.push(performance.now() - begun_ms);
      const left = await owner.query(
        "select count(*)::int as n from sessions where ended_why = '机构停用' and token_hash in (select sha256(convert_to($1 || ($2), 'UTF8')))",
        [`bench-${round}-`, "100011"],
      );
      if (ended !== 0 || left.rows[0].n !== 1) throw new Error("sessions were left");
      await owner.query("update service_providers set state = 'active'");
    }
    return [atMost(`end ${MERCHANTS * EACH} sessions of a provider with ${MERCHANTS} merchants`, median(took_ms), LIMIT_MS, "ms")];
  } finally {
    await owner.query(
      "delete from sessions where token_hash in (select token_hash from sessions s join users u on u.id = s.user_id where u.login like 'bench-1%')",
    );
    await owner.query("delete from users where login like 'bench-1%'");
    await pool.end();
    await owner.end();
  }
}
