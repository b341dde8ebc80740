import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { membersInSight } from "../list/member-rows.ts";
import type { MemberRef } from "../member-facts.ts";
import type { Person } from "../seal.ts";

/** A member as it stands, held to the end of the transaction. */
export interface OwnMember extends MemberRef, Person {
  readonly id: string;
  readonly service_provider_id: string;
  readonly no: string;
  readonly status: number;
  readonly stage: number;
  /** The phone, by a code. */
  readonly confirmed: boolean;
  readonly birthday: string | null;
  readonly birthday_changed_on: string | null;
  readonly name_before_sealed: string | null;
  readonly name_changed_on: string | null;
  readonly form_sealed: string | null;
  readonly id_card_sealed: string | null;
  readonly revision: number;
}
/** A member in sight, held. @throws 404 */
export async function holdMember(ctx: Ctx, id: string): Promise<OwnMember> {
  const { rows } =
    await sql<OwnMember>`select m.service_provider_id, m.merchant_id, m.id, m.no, m.status, m.stage, m.phone_confirmed_at is not null as confirmed, m.name_sealed, m.phone_sealed, m.name_before_sealed, m.name_changed_on,
      m.birthday, m.birthday_changed_on, m.form_sealed, m.id_card_sealed, m.revision
    from members m where m.id = ${id} and ${membersInSight(ctx.scope)} for no key update of m`.execute(ctx.tx);
  if (!rows[0]) throw notFound("会员");
  return rows[0];
}
/** The same of one who is still there. @throws 404, 409 */
export async function holdLiving(ctx: Ctx, id: string): Promise<OwnMember> {
  const own = await holdMember(ctx, id);
  if (own.status > 3) throw conflict("会员已注销或已合并，不能再操作");
  return own;
}
/** What the audit row says; nothing personal. */
export const toldOf = ({ service_provider_id, merchant_id, id, no }: OwnMember, after: object, before?: object): AuditNote => ({
  targetKind: "member",
  targetId: id,
  provider: service_provider_id,
  merchant: merchant_id,
  ...(before && { before }),
  after: { memberNo: no, ...after },
});
