import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { authCodeDoorOf, type CodeReader } from "../../../channels/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getPayCodeDoor, setPayCodeDoor } from "../../contract/index.ts";
import type { MemberRef } from "../member-facts.ts";
import { memberOf } from "../make-member.ts";
import { opened, searchHash, sealed } from "../seal.ts";
import type { Place } from "../tickets.ts";

/** A merchant's own account. @throws 403 for whoever has none */
function ownMerchant({ scope: { provider, merchant } }: Pick<Ctx, "scope">) {
  if (provider === undefined || merchant === undefined) throw new Refusal(403, "forbidden", "请用商户账号操作");
  return { service_provider_id: provider, merchant_id: merchant };
}

/** 付款码识别. */
export const getPayCodeDoorRoute = implement(getPayCodeDoor, async (ctx) => {
  const { provider, merchant } = ctx.scope;
  const row = await ctx.tx
    .selectFrom("pay_code_doors")
    .select(["opened", "key_tail"])
    .where("service_provider_id", "=", provider ?? null)
    .where("merchant_id", "=", merchant ?? null)
    .executeTakeFirst();
  return { opened: row?.opened ?? false, keyTail: row?.key_tail ?? null };
});
/** 设置付款码识别. The key is never read back; without a new one the old one stays. */
export const setPayCodeDoorRoute = implement(setPayCodeDoor, async (ctx, { opened: on, apiKey }) => {
  const own = ownMerchant(ctx);
  const before = await ctx.tx
    .selectFrom("pay_code_doors")
    .select(["opened", "key_tail"])
    .where("service_provider_id", "=", own.service_provider_id)
    .where("merchant_id", "=", own.merchant_id)
    .forUpdate()
    .executeTakeFirst();
  if (on && apiKey === undefined && !before?.key_tail) throw invalid("apiKey", "请填写 APIv2 密钥");
  const key = apiKey && {
    key_sealed: sealed(ctx.services, "pay-code", own.service_provider_id, own.merchant_id, apiKey),
    key_tail: apiKey.slice(-4),
  };
  const door = { opened: on, ...key, by_name: askerOf(ctx).name, updated_at: ctx.now };
  await ctx.tx
    .insertInto("pay_code_doors")
    .values({ ...own, ...door })
    .onConflict((there) => there.columns(["service_provider_id", "merchant_id"]).doUpdateSet(door))
    .execute();
  ctx.note({
    targetKind: "merchant",
    targetId: own.merchant_id,
    before: { opened: before?.opened ?? false },
    after: { opened: on, ...(apiKey && { keyTail: apiKey.slice(-4) }) },
    provider: own.service_provider_id,
    merchant: own.merchant_id,
  });
  return { ok: true as const };
});

interface Door extends CodeReader {
  readonly key_sealed: string;
}
/** What asks WeChat for a merchant; nothing where it is switched off, or WeChat Pay is. */
async function doorOf({ platform }: Ctx, { service_provider_id, merchant_id }: Place): Promise<Door | undefined> {
  // Past the fence of the till: its merchant's own row, by name.
  return platform("who asks WeChat whose code it is", async (tx) => {
    const { rows } =
      await sql<Door>`select d.key_sealed, x.app_id as "appId", x.mch_id as "mchId", x.sub_mch_id as "subMchId", x.base_url as "baseUrl"
      from pay_code_doors d join channel_settings x on x.service_provider_id = d.service_provider_id and x.merchant_id = d.merchant_id
      where d.service_provider_id = ${service_provider_id} and d.merchant_id = ${merchant_id} and d.opened and x.channel = 0 and x.state = 'active'`.execute(
        tx,
      );
    return rows[0];
  });
}
/**
 * Whose pay code, or face, a till has read: WeChat says the openid, and it is the member's whom that openid pays for. Nobody is proved by it.
 * @throws 400 at `authCode`, 409 where it is switched off, 503 where WeChat does not answer
 */
export async function whoseAuthCode(ctx: Ctx, where: Place, authCode: string): Promise<MemberRef | undefined> {
  if (!/^1[0-5]\d{16}$/.test(authCode)) throw invalid("authCode", "只认微信付款码，请用会员码或手机号");
  const door = await doorOf(ctx, where);
  if (!door) throw invalid("authCode", "付款码识别会员未开通，请用会员码或手机号");
  const { service_provider_id, merchant_id } = where;
  const { key_sealed, subMchId, ...reader } = door;
  const apiKey = opened(ctx.services, "pay-code", service_provider_id, merchant_id, key_sealed);
  const said = await authCodeDoorOf(ctx.services).openIdOf({ ...reader, subMchId: subMchId ?? undefined }, apiKey, authCode);
  if (said.kind === "refused") {
    if (said.code.startsWith("AUTH")) throw invalid("authCode", said.message);
    throw conflict(`微信拒绝了付款码识别（${said.message}），请用会员码或手机号`, "pay-code.refused");
  }
  if (said.kind === "unknown")
    throw new Refusal(503, "pay-code.unknown", "微信暂时没有应答，请用会员码或手机号", undefined, { "retry-after": "3" });
  const subject_hash = searchHash(ctx.services, service_provider_id, "openid", said.value);
  return ctx.transaction((tx) => memberOf(tx, { service_provider_id, merchant_id, kind: "openid", subject_hash }));
}
