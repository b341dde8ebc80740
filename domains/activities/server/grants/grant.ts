import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { PERSON } from "../../../coupons/server/index.ts";
import { NET_HOUR, refusedWhy, type RefusedWhy } from "../../contract/index.ts";
import { type ActivityHead, heldActivity } from "../manage/find-activity.ts";
import { costOf, partsOf } from "../rules/activity-rules.ts";
import { giveGrant } from "./give-grant.ts";
import type { Mark } from "./marks.ts";

/** That an event is about somebody, by an activity's own rules. */
export interface Occasion {
  readonly service_provider_id: string;
  readonly activity_id: string;
  readonly member_id: string;
  readonly store_id: string;
  /** Once for a human: `life`, a day, a year. */
  readonly occasion: string;
  /** When it was, where that is not now: it counts to the activity's days. */
  readonly at?: string;
  readonly marks: readonly Mark[];
  /** Of 推荐有礼: whose identities are marked with the grant, and in which span; null: nobody's, they are marked already. */
  readonly marked?: { readonly member_id: string; readonly span: string } | null;
  readonly side?: "own" | "friend";
}
/** What became of it. `known`: it was there before; `over`: nothing is granted now. */
export type Granted = "owed" | "review" | "refused" | "known" | "over";

interface Person {
  readonly merchant_id: string;
  readonly person: string;
  readonly family: readonly string[];
  readonly identities: readonly { readonly kind: string; readonly hash: string }[];
}
async function readPerson(
  tx: Transaction,
  { service_provider_id, member_id }: Pick<Occasion, "service_provider_id" | "member_id">,
): Promise<Person | undefined> {
  const { rows } = await sql<Person>`select m.merchant_id, encode(${PERSON}, 'hex') as person,
      array(select f.id::text from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family,
      coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'hash', encode(i.subject_hash, 'hex'))) from member_identities i
        where i.service_provider_id = m.service_provider_id and i.member_id = m.id and i.kind in ('phone', 'openid', 'alipay')), '[]'::jsonb) as identities
    from members m where m.service_provider_id = ${service_provider_id} and m.id = ${member_id} and m.stage = 1 and m.status = 1`.execute(
    tx,
  );
  return rows[0];
}

/**
 * Grants what an activity gives, once for a human and an occasion: the place and its cost are set aside behind the activity's budget, and a
 * job gives the things after the commit. The same event again changes nothing. In the scope of the platform.
 * @returns what became of it
 */
export async function grant(tx: Transaction, services: Services, occasion: Occasion): Promise<Granted> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { service_provider_id, activity_id, member_id } = occasion;
  const activity = await heldActivity(tx, { service_provider_id, id: activity_id });
  const at = occasion.at ?? now;
  if (!activity || activity.state !== "RUNNING" || activity.begins_at > at || activity.ends_at <= at) return "over";
  const person = await readPerson(tx, occasion);
  if (!person || person.merchant_id !== activity.merchant_id) return "over";
  const { rows: known } =
    await sql`select 1 from activity_grants g where g.service_provider_id = ${service_provider_id} and g.activity_id = ${activity_id}
    and g.occasion = ${occasion.occasion} and (g.person = decode(${person.person}, 'hex') or g.member_id = any(${[member_id, ...person.family]}::uuid[])) limit 1`.execute(
      tx,
    );
  if (known.length > 0) return "known";
  const span = occasion.marked?.span ?? occasion.occasion;
  const known_by = occasion.marked === undefined ? person : occasion.marked && (await readPerson(tx, { ...occasion, ...occasion.marked }));
  const marks = [
    ...(known_by?.identities ?? []).map(({ kind, hash }) => ({ kind: kind === "phone" ? ("phone" as const) : ("openid" as const), hash })),
    ...occasion.marks,
  ];
  const had = await hadBy(tx, occasion, span, marks);
  const why: RefusedWhy | undefined = had ?? (activity.taken >= activity.places ? "gone" : undefined);
  const status = why !== undefined ? "refused" : (await crowded(tx, activity, marks, now_ms)) ? "review" : "owed";
  const id = services.ids.uuid(now_ms);
  await writeGrant(tx, services, activity, { ...occasion, id, person: person.person, status, why, now });
  if (status === "refused") return status;
  const taken = await sql`update activity_budgets b set taken = b.taken + 1, held_cents = b.held_cents + ${activity.place_cents}
    where b.service_provider_id = ${service_provider_id} and b.activity_id = ${activity_id} and b.taken < b.places`.execute(tx);
  mustChange({ numUpdatedRows: taken.numAffectedRows ?? 0n }, () => new Error("a held budget has fewer places than it had"));
  await writeMarks(tx, activity, { grant_id: id, span, marks, now });
  if (status === "owed") await services.jobs.enqueue(tx, giveGrant, { service_provider_id, grant_id: id });
  return status;
}

/** By which of its marks somebody had it before, as somebody else. */
async function hadBy(
  tx: Transaction,
  { service_provider_id, activity_id }: Occasion,
  span: string,
  marks: readonly { kind: string; hash: string }[],
) {
  const once = marks.filter(({ kind }) => kind !== "net");
  if (once.length === 0) return undefined;
  const { rows } = await sql<{ kind: "phone" | "openid" | "payer" | "device" }>`select m.kind from activity_marks m
    join unnest(${once.map(({ kind }) => kind)}::text[], ${once.map(({ hash }) => Buffer.from(hash, "hex"))}::bytea[]) x(kind, hash) on m.kind = x.kind and m.hash = x.hash
    where m.service_provider_id = ${service_provider_id} and m.activity_id = ${activity_id} and m.span = ${span}
    order by array_position(array['phone', 'openid', 'payer', 'device'], m.kind) limit 1`.execute(tx);
  return rows[0]?.kind;
}
/** Whether as many came from the same net in the last hour as may without anybody's looking. */
async function crowded(
  tx: Transaction,
  { service_provider_id, merchant_id }: ActivityHead,
  marks: readonly { kind: string; hash: string }[],
  now_ms: number,
) {
  const net = marks.find(({ kind }) => kind === "net");
  if (!net) return false;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from activity_marks m where m.service_provider_id = ${service_provider_id}
    and m.merchant_id = ${merchant_id} and m.kind = 'net' and m.hash = decode(${net.hash}, 'hex') and m.at > ${new Date(now_ms - 3_600_000).toISOString()}`.execute(
    tx,
  );
  return rows[0]!.n >= NET_HOUR;
}
async function writeMarks(
  tx: Transaction,
  { service_provider_id, merchant_id, id }: ActivityHead,
  { grant_id, span, marks, now }: { grant_id: string; span: string; marks: readonly { kind: string; hash: string }[]; now: string },
): Promise<void> {
  await sql`insert into activity_marks (service_provider_id, merchant_id, activity_id, span, kind, hash, grant_id, at)
    select ${service_provider_id}, ${merchant_id}, ${id}, ${span}, x.kind, decode(x.hash, 'hex'), ${grant_id}, ${now}
    from unnest(${marks.map(({ kind }) => kind)}::text[], ${marks.map(({ hash }) => hash)}::text[]) x(kind, hash)`.execute(tx);
}

interface NewGrant extends Occasion {
  readonly id: string;
  readonly person: string;
  readonly status: "owed" | "review" | "refused";
  readonly why: RefusedWhy | undefined;
  readonly now: string;
}
async function writeGrant(tx: Transaction, services: Services, activity: ActivityHead, given: NewGrant): Promise<void> {
  const { service_provider_id, merchant_id, version, terms, costs } = activity;
  const { id, activity_id, member_id, store_id, person, occasion, side = "own", status, why, now } = given;
  const parts = why === undefined ? partsOf(terms, costs) : [];
  await tx
    .insertInto("activity_grants")
    .values({
      service_provider_id,
      id,
      merchant_id,
      activity_id,
      version,
      member_id,
      store_id,
      person: sql`decode(${person}, 'hex')`,
      occasion,
      side,
      status,
      why: why ?? null,
      reason: why === undefined ? "" : refusedWhy.label(why),
      cost_cents: costOf(parts),
      at: now,
      settled_at: status === "refused" ? now : null,
    })
    .execute();
  if (parts.length === 0) return;
  await tx
    .insertInto("activity_gifts")
    .values(
      parts.map((part, at) => ({
        ...part,
        service_provider_id,
        merchant_id,
        grant_id: id,
        id: services.ids.uuid(services.clock.now_ms()),
        place: at + 1,
      })),
    )
    .execute();
}
