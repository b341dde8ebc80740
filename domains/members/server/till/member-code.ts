import { derivedKey } from "@zhangfang/server/config.ts";
import { hmacHex, sameText } from "@zhangfang/server/crypto.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../member-facts.ts";
import type { Place } from "../tickets.ts";
import { tryCode } from "./code-tries.ts";

/** A code is drawn anew after so long. */
export const MEMBER_CODE_MS = 30_000;
const stepOf = (now_ms: number): number => Math.floor(now_ms / MEMBER_CODE_MS);
function digitsOf(services: Pick<Services, "config">, provider: string, id: string, version: number, step: number): string {
  const mac = hmacHex(derivedKey(services.config.secret, "member-code"), `${provider}:${id}:${version}:${step}`);
  return String(BigInt(`0x${mac.slice(0, 16)}`) % 100_000_000n).padStart(8, "0");
}
interface Shower {
  readonly service_provider_id: string;
  readonly id: string;
  readonly no: string;
  readonly code_version: number;
}
/** 会员码 of this moment, for the member's own page: good for this step of 30 seconds and the next one. */
export const memberCodeOf = (services: Services, { service_provider_id, id, no, code_version }: Shower): string =>
  `99${no}${digitsOf(services, service_provider_id, id, code_version, stepOf(services.clock.now_ms()))}`;

/** A code that was right within five minutes is an old picture and no guess. */
const OLD_STEPS = 10;

/**
 * Whose code it is, which is spent with this; wrong ones at a store count (`code-tries.ts`).
 * @param instead what serves there too, in words
 * @throws 400 at `code`
 */
export async function spendMemberCode(
  tx: Transaction,
  services: Services,
  where: Place,
  code: string,
  instead = "手机号",
): Promise<MemberRef> {
  const { service_provider_id: provider, merchant_id: merchant } = where;
  const now_ms = services.clock.now_ms();
  const now = stepOf(now_ms);
  const found = await tryCode(tx, services, where, { kind: "member", no: code.slice(2, 12), field: "code", instead }, async () => {
    const shower = await tx
      .selectFrom("members")
      .select(["service_provider_id", "merchant_id", "id", "no", "code_version"])
      .where("service_provider_id", "=", provider)
      .where("merchant_id", "=", merchant)
      .where("no", "=", code.slice(2, 12))
      .where("status", "in", [1, 2])
      .executeTakeFirst();
    if (!shower) return;
    const steps = Array.from({ length: OLD_STEPS + 1 }, (_none, at) => now - at);
    const step = steps.find((one) => sameText(digitsOf(services, provider, shower.id, shower.code_version, one), code.slice(12)));
    return step === undefined ? undefined : { shower, step };
  });
  if (!found || found.step < now - 1) throw invalid("code", "会员码无效或已过期，请顾客刷新后再扫");
  const { shower, step } = found;
  const spent = await tx
    .insertInto("member_codes")
    .values({ service_provider_id: provider, merchant_id: merchant, member_id: shower.id, step, at: new Date(now_ms).toISOString() })
    .onConflict((twice) => twice.columns(["service_provider_id", "member_id", "step"]).doNothing())
    .executeTakeFirst();
  if (spent.numInsertedOrUpdatedRows !== 1n) throw invalid("code", "会员码已用过，请顾客刷新后再扫");
  return shower;
}
