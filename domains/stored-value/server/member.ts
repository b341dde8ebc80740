import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { ask, asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { type Holder, waitForHolder } from "../../value-book/server/index.ts";

/** What of a member matters to stored value. */
export interface HoldingMember extends Holder {
  readonly no: string;
  readonly stage: number;
  readonly status: number;
  readonly birthday: string | null;
  readonly named: boolean;
  readonly has_id_card: boolean;
  readonly merged_into: string | null;
}
const COLUMNS = sql`m.service_provider_id, m.merchant_id, m.id as member_id, m.no, m.stage, m.status, m.birthday, m.merged_into,
  m.name_sealed is not null and m.phone_confirmed_at is not null as named, m.id_card_sealed is not null as has_id_card`;

const LOCK = sql`for no key update`;
/** Reads a member. @throws 404 */
export async function readMember(
  tx: Transaction,
  { service_provider_id, merchant_id, member_id }: Holder,
  lock = sql``,
): Promise<HoldingMember> {
  const [member] = await ask(
    tx,
    sql<HoldingMember>`select ${COLUMNS} from members m
    where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.id = ${member_id} ${lock}`,
  );
  if (!member) throw notFound("会员");
  return member;
}
/** The same, and who moves its value, closes, merges or freezes it waits until the end. Value first, then the row, as a merge does. */
export async function keepMember(tx: Transaction, holder: Holder): Promise<HoldingMember> {
  const [, member] = await Promise.all([waitForHolder(tx, holder), readMember(tx, holder, LOCK)]);
  return member;
}
/** The same by the number that people say. @throws 404 */
export async function memberByNo(tx: Transaction, of: Omit<Holder, "member_id">, no: string): Promise<HoldingMember> {
  const { rows } = await sql<Holder>`select m.service_provider_id, m.merchant_id, m.id as member_id from members m
    where m.service_provider_id = ${of.service_provider_id} and m.merchant_id = ${of.merchant_id} and m.no = ${no}`.execute(tx);
  if (!rows[0]) throw notFound("会员");
  return keepMember(tx, rows[0]);
}
/** Why a member may not spend, move or get back what it holds. */
export const frozenWords = ({ status }: Pick<HoldingMember, "status">): string | undefined =>
  status === 2 ? "会员已冻结，储值不能使用、转移和退卡" : status > 2 ? "会员已注销或正在注销" : undefined;

/** Who may recharge: a confirmed person of age in good standing. @throws 409 */
export function mustMayRecharge({ status, stage, named, birthday }: HoldingMember, now_ms: number): void {
  if (status === 2) throw conflict("会员已冻结，不能充值", "member.frozen");
  if (status > 2) throw conflict("会员已注销或正在注销，不能充值", "member.closed");
  if (stage === 0 || !named) throw conflict("充值须先登记姓名并确认手机号", "member.unconfirmed");
  // Born on 02-29: of age on 03-01 of a common year.
  const today = shanghaiDay(now_ms);
  const youngest = `${Number(today.slice(0, 4)) - 18}${today.slice(4)}`;
  if (birthday !== null && birthday > youngest) throw conflict("未满 18 周岁不能充值", "member.minor");
}
/** Whether the member used anything at any store before that moment. */
export async function hadBefore(tx: Transaction, { service_provider_id, member_id }: Holder, moment: string): Promise<boolean> {
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from pay_orders o where o.service_provider_id = ${service_provider_id}
    and o.member_id in (select f.id from members f where f.service_provider_id = ${service_provider_id} and ${member_id}::uuid in (f.id, f.merged_into))
    and o.purpose = 0 and o.status in (2, 3) and o.paid_at < ${moment}::timestamptz limit 1`.execute(tx),
  );
  return rows.length > 0;
}
