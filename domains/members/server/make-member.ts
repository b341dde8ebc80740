import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { consentText } from "../contract/index.ts";
import { addMemberEvent } from "./events.ts";
import type { MemberRef } from "./member-facts.ts";
import { personColumns, searchHash, sealed } from "./seal.ts";

/** Somebody who is to be a member, known by a phone or by who paid. */
export interface NewMember {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  /** memberSource. */
  readonly source: 1 | 2 | 3 | 4 | 5;
  readonly by:
    | { readonly kind: "phone"; readonly phone: string; readonly confirmed: boolean }
    | { readonly kind: "openid" | "alipay"; readonly subject: string };
  readonly stage: 0 | 1;
  readonly name?: string;
  readonly birthday?: string | null;
  readonly sex?: 1 | 2 | null;
  readonly remark?: string;
  readonly tags?: readonly string[];
  /** How the text was agreed to; none where nobody was asked (who only paid). */
  readonly consent?: "till" | "office" | "page" | "sheet";
  readonly guardian?: boolean;
  /** Who adds it, for the timeline. */
  readonly by_name: string;
  /** The moment, where it is not now (imports of old members stay now; the demo's past is not). */
  readonly at?: string;
}

/**
 * The member of a phone or of who paid: the one who is there, or a new one. Of two who come at once the key of identities makes one.
 * @returns whether it was made now
 */
export async function findOrMake(tx: Transaction, services: Services, given: NewMember): Promise<MemberRef & { readonly made: boolean }> {
  const { service_provider_id, merchant_id, store_id, by } = given;
  const subject_hash = searchHash(services, service_provider_id, by.kind, by.kind === "phone" ? by.phone : by.subject);
  const known = await memberOf(tx, { service_provider_id, merchant_id, kind: by.kind, subject_hash });
  if (known) {
    await seeAt(tx, services, known, store_id);
    return { ...known, made: false };
  }
  const at = given.at ?? new Date(services.clock.now_ms()).toISOString();
  const member = await insertMember(tx, services, given, at);
  const claimed = await tx
    .insertInto("member_identities")
    .values({
      service_provider_id,
      merchant_id,
      kind: by.kind,
      subject_hash,
      member_id: member.id,
      verified_at: by.kind !== "phone" || by.confirmed ? at : null,
      created_at: at,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "kind", "subject_hash"]).doNothing())
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows !== 1n) {
    // Somebody was first, and has committed: this one never was.
    await tx.deleteFrom("members").where("service_provider_id", "=", service_provider_id).where("id", "=", member.id).execute();
    const first = await memberOf(tx, { service_provider_id, merchant_id, kind: by.kind, subject_hash });
    if (!first) throw new Error("an identity without its member");
    await seeAt(tx, services, first, store_id);
    return { ...first, made: false };
  }
  const mine = { service_provider_id, merchant_id, member_id: member.id };
  await tx.insertInto("member_totals").values(mine).execute();
  await tx
    .insertInto("member_stores")
    .values({ ...mine, store_id, home: true, first_at: at })
    .execute();
  for (const kind of ["privacy", "guardian"] as const)
    if (given.consent && (kind === "privacy" || given.guardian)) await addConsent(tx, services, member, kind, given.consent, at);
  await addMemberEvent(tx, services, member, "joined", given.by_name, "", at);
  return { ...member, made: true };
}

const TRIES = 5;
async function insertMember(tx: Transaction, services: Services, given: NewMember, at: string): Promise<MemberRef> {
  const { service_provider_id, merchant_id, by, stage, source, name, birthday, sex, remark = "", tags = [] } = given;
  const id = services.ids.uuid(Date.parse(at));
  const phone = by.kind === "phone" ? by.phone : undefined;
  // Numbers are drawn: that they tell nothing of how many there are, and codes of others can't be guessed from one's own.
  for (let n = 0; n < TRIES; n++) {
    const added = await tx
      .insertInto("members")
      .values({
        service_provider_id,
        id,
        merchant_id,
        no: services.ids.digits(10),
        stage,
        source,
        ...personColumns(services, service_provider_id, id, { ...(name && { name }), ...(phone && { phone }) }),
        phone_confirmed_at: by.kind === "phone" && by.confirmed ? at : null,
        birthday: birthday ?? null,
        form_sealed: sex ? sealed(services, "form", service_provider_id, id, JSON.stringify({ sex })) : null,
        remark,
        tags: sql`${[...tags]}::text[]`,
        created_at: at,
      })
      .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "no"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 1n) return { service_provider_id, merchant_id, id };
  }
  throw new Error("no free member number");
}

/** Whose an identity is. */
export async function memberOf(
  tx: Transaction,
  {
    service_provider_id,
    merchant_id,
    kind,
    subject_hash,
  }: { service_provider_id: string; merchant_id: string; kind: string; subject_hash: Buffer },
): Promise<MemberRef | undefined> {
  const row = await tx
    .selectFrom("member_identities")
    .select("member_id")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("kind", "=", kind)
    .where("subject_hash", "=", subject_hash)
    .executeTakeFirst();
  return row && { service_provider_id, merchant_id, id: row.member_id };
}
/** The member with a phone, if there is one. */
export const memberOfPhone = (tx: Transaction, services: Services, provider: string, merchant: string, phone: string) =>
  memberOf(tx, {
    service_provider_id: provider,
    merchant_id: merchant,
    kind: "phone",
    subject_hash: searchHash(services, provider, "phone", phone),
  });

/** What an openid is found by at a provider. */
export const openIdHash = (services: Services, provider: string, openId: string): Buffer =>
  searchHash(services, provider, "openid", openId);
/** The member whom an openid names; nobody where they only paid, or are not one any more. */
export async function memberOfOpenId(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, openId }: { service_provider_id: string; merchant_id: string; openId: string },
): Promise<MemberRef | undefined> {
  const subject_hash = openIdHash(services, service_provider_id, openId);
  const found = await memberOf(tx, { service_provider_id, merchant_id, kind: "openid", subject_hash });
  const row =
    found &&
    (await tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", found.id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .executeTakeFirst());
  return row && found;
}

/** A store that a member came to sees it from then on. */
export async function seeAt(tx: Transaction, services: Services, member: MemberRef, store_id: string): Promise<void> {
  await tx
    .insertInto("member_stores")
    .values({
      service_provider_id: member.service_provider_id,
      merchant_id: member.merchant_id,
      member_id: member.id,
      store_id,
      home: false,
      first_at: new Date(services.clock.now_ms()).toISOString(),
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "member_id", "store_id"]).doNothing())
    .execute();
}

/** The phone of a member is confirmed by a code: a 准会员 is a member from then on. Once more changes nothing. */
export async function confirmPhone(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  by_name: string,
  at: string,
  way: "till" | "page" = "till",
): Promise<void> {
  const { service_provider_id, merchant_id, id } = member;
  const changed = await tx
    .updateTable("members")
    .set((column) => ({ stage: 1, phone_confirmed_at: at, revision: column("revision", "+", 1) }))
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "in", [1, 2])
    .where("phone_confirmed_at", "is", null)
    .executeTakeFirst();
  if (changed.numUpdatedRows !== 1n) return;
  await tx
    .updateTable("member_identities")
    .set({ verified_at: at })
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", id)
    .where("kind", "=", "phone")
    .execute();
  await addConsent(tx, services, { service_provider_id, merchant_id, id }, "privacy", way, at);
  await addMemberEvent(tx, services, member, "confirmed", by_name, "短信验证码", at);
}

/** That somebody agreed to a text, once for its version. */
export async function addConsent(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  kind: keyof typeof consentText,
  way: "till" | "office" | "page" | "sheet",
  at: string,
): Promise<void> {
  await tx
    .insertInto("member_consents")
    .values({
      service_provider_id: member.service_provider_id,
      merchant_id: member.merchant_id,
      member_id: member.id,
      id: services.ids.uuid(Date.parse(at)),
      kind,
      version: consentText[kind].version,
      way,
      at,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "member_id", "kind", "version"]).doNothing())
    .execute();
}

/** Full years on a Shanghai day. @example ageOn("2013-11-25", "2026-11-24") // 12 */
export const ageOn = (birthday: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (today.slice(5) < birthday.slice(5) ? 1 : 0);
/** A birthday that may stand: not to come, not before 1900, and of a child only with the guardian's consent. @throws 400 at `birthday` or `guardian` */
export function checkBirthday(birthday: string | null | undefined, guardian: boolean, now_ms: number): void {
  if (!birthday) return;
  const today = shanghaiDay(now_ms);
  if (birthday > today || birthday < "1900-01-01") throw invalid("birthday", "生日有误");
  if (ageOn(birthday, today) < 14 && !guardian) throw invalid("guardian", "未满 14 周岁，须监护人同意");
}
