import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addConsent, confirmPhone, findOrMake, memberOfPhone } from "../make-member.ts";
import { checkSaid, fillForm, type SaidOfSelf } from "./fill-form.ts";
import { type Joining, tellJoined, type MemberRef } from "../member-facts.ts";

/** Somebody at the page whose phone a code has proved. */
export interface PageGuest extends SaidOfSelf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly phone: string;
  readonly guardian: boolean;
  readonly from: NonNullable<Joining["from"]>;
}
const BY = "会员页";

/** Whose a phone is here, and whether a PIN stands before it; nothing where it is nobody's yet. */
export async function whoHasPhone(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, phone }: Pick<PageGuest, "service_provider_id" | "merchant_id" | "phone">,
): Promise<(MemberRef & { readonly hasPin: boolean; readonly stage: number }) | undefined> {
  const member = await memberOfPhone(tx, services, service_provider_id, merchant_id, phone);
  if (!member) return undefined;
  const row = await tx
    .selectFrom("members")
    .select(["pin_hash", "stage"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", member.id)
    .executeTakeFirst();
  return { ...member, hasPin: typeof row?.pin_hash === "string", stage: row?.stage ?? 0 };
}

/**
 * 会员页入会或登录: the member of a proved phone, made or confirmed now. What somebody wrote down of a person before stays as it is.
 * @throws 400 at `birthday`, `idcard` or `guardian`, and at `phone` where the member has left
 */
export async function joinAtPage(
  tx: Transaction,
  services: Services,
  { phone, guardian, from, service_provider_id, merchant_id, store_id, ...said }: PageGuest,
): Promise<MemberRef & { readonly made: boolean; readonly code_version: number }> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  checkSaid(said, guardian, now_ms);
  const { name, birthday } = said;
  const where = { service_provider_id, merchant_id, store_id };
  const member = await findOrMake(tx, services, {
    ...where,
    source: 5,
    by: { kind: "phone", phone, confirmed: true },
    stage: 1,
    ...(name && { name }),
    birthday,
    guardian,
    consent: "page",
    by_name: BY,
  });
  if (!member.made) {
    await confirmPhone(tx, services, member, BY, now, "page");
    await addConsent(tx, services, member, "privacy", "page", now);
  }
  await fillForm(tx, services, member, said, member.made ? undefined : BY);
  const living = await tx
    .selectFrom("members")
    .select(["code_version", "status"])
    .where("service_provider_id", "=", where.service_provider_id)
    .where("id", "=", member.id)
    .where("status", "<", 4)
    .executeTakeFirst();
  if (!living) throw invalid("phone", "这个手机号的会员已注销，请稍后再试");
  if (living.status === 1) await tellJoined(tx, services, { ...where, member_id: member.id, way: "page", by_name: BY, from });
  return { ...member, code_version: living.code_version };
}
