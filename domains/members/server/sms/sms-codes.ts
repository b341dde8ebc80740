import { sql } from "kysely";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { sameText } from "@zhangfang/server/crypto.ts";
import { asPlatform, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { callerAddress } from "@zhangfang/server/network.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { smsPurposes, type SmsPurpose } from "../../contract/index.ts";
import { searchHash, sealed, widePhoneHash } from "../seal.ts";
import { sendSms } from "./send-sms.ts";

const GOOD_MS = 5 * 60_000;
const TRIES = 5;
export const AGAIN_S = 60;
const DAY_MOST = 10;
const ADDRESS_MOST = 30;
/** More than a busy merchant's page sends in an hour, and more than each of many stores brings to it; from then on somebody is driving it. */
const PAGE_MOST = 600;
const STORE_MOST = 60;

interface At {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** Who asked for a code: where they called from, and whether it goes to their own phone, by which they are signed in. */
interface Asker {
  readonly address: string;
  readonly own?: boolean;
}
const codeHash = (services: Services, { service_provider_id }: At, id: string, purpose: SmsPurpose, code: string) =>
  searchHash(services, service_provider_id, "sms", `${id}:${purpose}:${code}`);
const tooOften = (message: string, seconds: number) =>
  new Refusal(429, "sms.limit", message, { phone: message }, { "retry-after": String(seconds) });

/**
 * Records a code for a phone and has it sent after the commit: one a minute and ten a day for a phone over all merchants, thirty an hour
 * for an address (a /64 of IPv6) at one, and for a merchant's page, where anybody may ask, six hundred an hour, or sixty for each of its stores. What
 * somebody who is signed in asks for their own phone is counted apart from what others ask for it. Those who ask for one phone at once wait
 * for each other.
 * @param purpose what the code is good for, and nothing else
 * @throws 429 at `phone`
 */
export async function sendCode(
  tx: Transaction,
  services: Services,
  at: At,
  phone: string,
  purpose: SmsPurpose,
  { address, own = false }: Asker,
): Promise<void> {
  const { service_provider_id, merchant_id } = at;
  const now_ms = services.clock.now_ms();
  const before = (ms: number) => new Date(now_ms - ms).toISOString();
  const wide_hash = widePhoneHash(services, phone);
  const from_hash = searchHash(services, service_provider_id, "from", callerAddress(address));
  for (const key of [`${String(own)}:${wide_hash.toString("hex")}`, `${merchant_id}:${from_hash.toString("hex")}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sms:${key}`}, 0))`.execute(tx);
  // Of all merchants: a phone is one phone.
  const { rows } = await asPlatform(tx, () =>
    sql<{ minute: number; day: number; address: number; page: number; stores: number }>`select
        count(*) filter (where wide_hash = ${wide_hash} and own = ${own} and created_at > ${before(AGAIN_S * 1000)}::timestamptz)::int as minute,
        count(*) filter (where wide_hash = ${wide_hash} and own = ${own})::int as day,
        count(*) filter (where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and from_hash = ${from_hash}
          and created_at > ${before(3_600_000)}::timestamptz)::int as address,
        (select count(*) from sms_codes p where p.service_provider_id = ${service_provider_id} and p.merchant_id = ${merchant_id} and p.purpose = 'sign-in'
          and p.created_at > ${before(3_600_000)}::timestamptz)::int as page,
        (select count(*) from stores s where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.state = 'active')::int as stores
      from sms_codes where (wide_hash = ${wide_hash}
          or service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and from_hash = ${from_hash})
        and created_at > ${before(86_400_000)}::timestamptz`.execute(tx),
  );
  const counts = rows[0]!;
  if (counts.minute > 0) throw tooOften("刚刚发过验证码，请 1 分钟后再试", AGAIN_S);
  if (counts.day >= DAY_MOST) throw tooOften("这个手机号今天的验证码已用完，请明天再试", 86_400);
  if (counts.address >= ADDRESS_MOST || (purpose === "sign-in" && counts.page >= Math.max(PAGE_MOST, STORE_MOST * counts.stores)))
    throw tooOften("这里发送验证码太频繁，请稍后再试", 3_600);
  const id = services.ids.uuid(now_ms);
  const code = services.ids.digits(6);
  const now = new Date(now_ms).toISOString();
  await tx
    .insertInto("sms_codes")
    .values({
      service_provider_id,
      merchant_id,
      id,
      purpose,
      own,
      phone_hash: searchHash(services, service_provider_id, "phone", phone),
      wide_hash,
      from_hash,
      code_hash: codeHash(services, at, id, purpose, code),
      created_at: now,
      expires_at: new Date(now_ms + GOOD_MS).toISOString(),
    })
    .execute();
  await tx
    .insertInto("sms_messages")
    .values({
      service_provider_id,
      merchant_id,
      id,
      template: smsPurposes[purpose].template,
      sealed: sealed(services, "sms", service_provider_id, id, JSON.stringify({ phone, params: { code, use: smsPurposes[purpose].use } })),
      created_at: now,
    })
    .execute();
  await services.jobs.enqueue(tx, sendSms, { provider: service_provider_id, id });
}

/** Which codes a call spent. */
const spentBy = new WeakMap<object, Set<string>>();
/**
 * Spends the newest code that a phone got for a purpose, in a transaction of its own: a try counts before it is looked at, whatever becomes of the caller.
 * @param call the caller's, where it asks within a transaction: the database may have that tried again, and the same call needs no other code then
 * @throws 400 at `sms`
 */
export async function spendSmsCode(
  services: Services,
  at: At,
  phone: string,
  purpose: SmsPurpose,
  code: string,
  call: object = {},
): Promise<void> {
  const { service_provider_id, merchant_id } = at;
  const spent = spentBy.get(call) ?? new Set();
  const key = [merchant_id, phone, purpose, code].join(":");
  if (spent.has(key)) return;
  const now = new Date(services.clock.now_ms()).toISOString();
  const right = await withScope(services.pool, platformScope("check an sms code"), async (tx) => {
    const { rows } = await sql<{ id: string; code_hash: Buffer }>`
      update sms_codes c set tries = c.tries + 1 where c.service_provider_id = ${service_provider_id} and c.id = (
          select x.id from sms_codes x where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id}
            and x.purpose = ${purpose} and x.phone_hash = ${searchHash(services, service_provider_id, "phone", phone)} order by x.created_at desc, x.id desc limit 1)
        and c.tries < ${TRIES} and c.used_at is null and c.expires_at > ${now}::timestamptz
      returning c.id, c.code_hash`.execute(tx);
    const [row] = rows;
    if (!row || !sameText(row.code_hash.toString("hex"), codeHash(services, at, row.id, purpose, code).toString("hex"))) return false;
    const used = await tx
      .updateTable("sms_codes")
      .set({ used_at: now })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", row.id)
      .where("used_at", "is", null)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  });
  if (!right) throw invalid("sms", "验证码错误或已过期，请重新获取");
  spentBy.set(call, spent.add(key));
}
