import { sql } from "kysely";
import { maskPhone } from "@zhangfang/contract/text.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { searchHash } from "../seal.ts";

/** A line of a sheet: whose it is; `no` is the member's number, else what stood there, a phone masked. */
export interface SheetLine {
  readonly member_id: string | null;
  readonly no: string;
}
const PHONE_DIGITS = 11;
interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/**
 * The members of a merchant whom the lines of a sheet name, each by number or by phone; who left is nobody.
 * @param until a moment: who became a member after it, or got that phone, is nobody either
 * @returns as many as were given, in their order
 */
export async function linesOfSheet(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Merchant,
  texts: readonly string[],
  until?: string,
): Promise<SheetLine[]> {
  const known = (at: string) => (until === undefined ? sql`` : sql`and ${sql.ref(at)} <= ${until}`);
  const hashes = texts.map((text) => (text.length === PHONE_DIGITS ? searchHash(services, service_provider_id, "phone", text) : null));
  // By number and by phone apart: each by its own index.
  const { rows } = await sql<{
    member_id: string | null;
    no: string | null;
  }>`select coalesce(n.id, p.id) as member_id, coalesce(n.no, p.no) as no
    from unnest(${[...texts]}::text[], ${hashes}::bytea[]) with ordinality g (text, hash, place)
    left join members n on n.service_provider_id = ${service_provider_id} and n.merchant_id = ${merchant_id} and n.status not in (4, 5)
      and n.no = g.text and g.hash is null ${known("n.created_at")}
    left join member_identities i on i.service_provider_id = ${service_provider_id} and i.merchant_id = ${merchant_id} and i.kind = 'phone'
      and i.subject_hash = g.hash ${known("i.created_at")}
    left join members p on p.service_provider_id = ${service_provider_id} and p.merchant_id = ${merchant_id} and p.status not in (4, 5)
      and p.id = i.member_id
    order by g.place`.execute(tx);
  return rows.map(({ member_id, no }, at) => ({ member_id, no: no ?? shownLine(texts[at]!) }));
}
/** What stands in a line as lists show it. */
export const shownLine = (text: string): string => (text.length === PHONE_DIGITS ? maskPhone(text) : text);
/**
 * The same where nobody may be named twice.
 * @throws 400 at the field where two lines are the same member
 */
export async function membersOfSheet(
  tx: Transaction,
  services: Services,
  merchant: Merchant,
  texts: readonly string[],
  field: string,
): Promise<SheetLine[]> {
  const lines = await linesOfSheet(tx, services, merchant, texts);
  mustDiffer(
    lines.map(({ member_id }, at) => member_id ?? texts[at]!),
    (at) => lines[at]!.no,
    field,
  );
  return lines;
}
/** @throws 400 at the field where two lines of a sheet are the same */
export function mustDiffer(lines: readonly string[], shown: (at: number) => string, field: string): void {
  const seen = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const first = seen.get(line);
    if (first !== undefined) throw invalid(field, `第 ${at + 1} 行和第 ${first + 1} 行是同一会员 ${shown(at)}`);
    seen.set(line, at);
  }
}
