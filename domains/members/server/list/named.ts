import { sql, type RawBuilder } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { maskedOf, type Person } from "../seal.ts";
import { membersInSight, soughtIn } from "./member-rows.ts";

/** What a row of another room says of its member. */
interface Of {
  readonly memberId: string | null;
}
type Named<R> = Omit<R, "memberId"> & { readonly memberId: string | null; readonly memberName: string; readonly memberPhone: string };
const NOBODY = { memberId: null, memberName: "", memberPhone: "" };

/**
 * Rows with the masked name and phone of their members, by one query for all of them. Who is out of the caller's sight in the members'
 * own list stays without both, and without the id that opens the page.
 */
export async function withMembers<R extends Of>(
  { tx, scope, services }: Pick<Ctx, "tx" | "scope"> & { readonly services: Services | undefined },
  rows: readonly R[],
): Promise<Named<R>[]> {
  if (!services) throw new Error("members are sealed: their names need the services");
  const ids = [...new Set(rows.flatMap(({ memberId }) => memberId ?? []))];
  if (ids.length === 0) return rows.map((row) => ({ ...row, ...NOBODY }));
  const { rows: found } = await sql<Person>`select m.service_provider_id, m.id, m.name_sealed, m.phone_sealed from members m
    where ${all([membersInSight(scope), is("m.service_provider_id", scope.provider), sql`m.id = any(${`{${ids.join(",")}}`}::uuid[])`])}`.execute(
    tx,
  );
  const names = new Map(found.map((person) => [person.id, maskedOf(services, person)]));
  return rows.map((row) => {
    const known = row.memberId === null ? undefined : names.get(row.memberId);
    return { ...row, ...(known ? { memberId: row.memberId, memberName: known.name, memberPhone: known.phone } : NOBODY) };
  });
}

/** So long the name before a change is shown to who pays somebody out. */
export const NAME_DAYS = 90;
/** The masked name that a member in sight had before it was changed lately, and when that was; null where it was not. */
export async function nameBefore({ tx, scope, services, now_ms }: Ctx, id: string): Promise<{ name: string; changedOn: string } | null> {
  const since = addDays(shanghaiDay(now_ms), -NAME_DAYS);
  const { rows } = await sql<Person & { changedOn: string }>`select m.service_provider_id, m.id, m.name_before_sealed as name_sealed,
      null as phone_sealed, m.name_changed_on as "changedOn"
    from members m where m.id = ${id} and m.name_changed_on >= ${since}::date and ${membersInSight(scope)}`.execute(tx);
  return rows[0] ? { name: maskedOf(services, rows[0]).name, changedOn: rows[0].changedOn } : null;
}

/** Whether a list's `members m` is who is sought, by all that the members' own list finds them by; the number is known to whoever sees the row. */
export const memberSought = (services: Services | undefined, scope: Scope, keyword: string): RawBuilder<boolean> =>
  services
    ? sql<boolean>`(m.no = ${keyword} or (${soughtIn(services, scope, keyword)} and ${membersInSight(scope)}))`
    : sql<boolean>`m.no = ${keyword}`;
