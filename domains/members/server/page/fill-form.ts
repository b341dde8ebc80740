import type { z } from "zod";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { bornOf, memberFormFacts, memberFormWord } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { checkBirthday } from "../make-member.ts";
import type { MemberRef } from "../member-facts.ts";
import { formOf, personColumns, sealed } from "../seal.ts";

/** What somebody says of themselves on the form of a card. */
export interface SaidOfSelf extends Partial<z.output<typeof memberFormFacts>> {
  readonly name: string;
  readonly birthday: string | null;
}
const fieldsOf = (known: object): string[] =>
  Object.entries(known).flatMap(([field, value]) => (value === null || value === undefined || value === "" ? [] : [field]));

/** Which fields of a card's form are filled by what was said. */
export const saidFields = (said: SaidOfSelf): ReadonlySet<string> => new Set(["mobile", ...fieldsOf(said)]);
/**
 * That what is said can be: a birthday, and an identity card of the same day.
 * @throws 400 at `birthday`, `idcard` or `guardian`
 */
export function checkSaid({ birthday, idcard }: SaidOfSelf, guardian: boolean, now_ms: number): void {
  if (birthday && idcard && birthday !== bornOf(idcard)) throw invalid("idcard", "身份证号里的生日和填写的生日不一致，请先核对");
  checkBirthday(birthday ?? (idcard ? bornOf(idcard) : null), guardian, now_ms);
}

const rowOf = async (tx: Transaction, { service_provider_id, id }: MemberRef) =>
  asPlatform(tx, () =>
    tx
      .selectFrom("members")
      .select(["name_sealed", "phone_sealed", "birthday", "form_sealed", "id_card_sealed", "revision"])
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("status", "<", 4)
      .executeTakeFirst(),
  );
/** Which fields of a card's form are known of a member, by their names on it. */
export async function filledFields(tx: Transaction, services: Services, member: MemberRef): Promise<ReadonlySet<string>> {
  const row = await rowOf(tx, member);
  if (!row) return new Set();
  return new Set(
    fieldsOf({
      mobile: row.phone_sealed,
      name: row.name_sealed,
      birthday: row.birthday,
      idcard: row.id_card_sealed,
      ...formOf(services, member.service_provider_id, member.id, row.form_sealed),
    }),
  );
}

/**
 * Writes down what somebody said of themselves where nothing stands yet; what stands stays as it is.
 * @param by_name for the timeline; nothing where they were made right now
 */
export async function fillForm(tx: Transaction, services: Services, member: MemberRef, said: SaidOfSelf, by_name?: string): Promise<void> {
  const row = await rowOf(tx, member);
  if (!row) return;
  const { service_provider_id, id } = member;
  const had = formOf(services, service_provider_id, id, row.form_sealed);
  const more = Object.fromEntries(
    [...memberFormWord.values, "sex" as const].flatMap((field) => (said[field] && !had[field] ? [[field, said[field]] as const] : [])),
  );
  const born = said.birthday ?? (said.idcard ? bornOf(said.idcard) : null);
  if (said.idcard && row.id_card_sealed === null && row.birthday !== null && row.birthday !== bornOf(said.idcard))
    throw invalid("idcard", "身份证号里的生日和会员资料里的生日不一致，请先核对");
  const set = {
    ...(row.name_sealed === null && personColumns(services, service_provider_id, id, { name: said.name })),
    ...(row.birthday === null && born && { birthday: born }),
    ...(row.id_card_sealed === null &&
      said.idcard && { id_card_sealed: sealed(services, "id-card", service_provider_id, id, said.idcard) }),
    ...(Object.keys(more).length > 0 && {
      form_sealed: sealed(services, "form", service_provider_id, id, JSON.stringify({ ...had, ...more })),
    }),
  };
  if (Object.keys(set).length === 0) return;
  const changed = await tx
    .updateTable("members")
    .set({ ...set, revision: row.revision + 1 })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", row.revision)
    .where("status", "<", 4)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员资料刚被修改，请再试一次"));
  if (by_name !== undefined) await addMemberEvent(tx, services, member, "changed", by_name, "开卡表单");
}
