import { sql } from "kysely";
import { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { payerDoorOf, type WechatApp } from "../../channels/server/index.ts";
import { openAppSecret } from "../../organisation/server/index.ts";
import { namePayer } from "../contract.ts";
import { findCode, type FoundCode } from "./find-code.ts";

const GOOD_FOR_MS = 30 * 60_000;
const named = z.object({ openId: z.string(), until: z.int() });

/** The merchant's own official account, where it was set: the application and its sealed secret. */
const appOf = (ctx: Ctx, { service_provider_id, merchant_id }: Pick<FoundCode, "service_provider_id" | "merchant_id">) =>
  ctx.platform("whose page it is inside WeChat", async (tx) => {
    const found = await sql<WechatApp & { service_provider_id: string; id: string; app_secret_sealed: string | null }>`
      select x.service_provider_id, x.id, x.app_id as "appId", x.base_url as "baseUrl", x.app_secret_sealed from channel_settings x
      where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.channel = 0 and x.state = 'active'
        and x.app_secret_sealed is not null`.execute(tx);
    return found.rows[0];
  });

const keyOf = (ctx: Ctx) => derivedKey(ctx.services.config.secret, "pay-code-payer");
const placeOf = (codeId: string) => `payer:${codeId}`;

/** 识别付款人: the code that WeChat gave the page becomes the payer, sealed for this store's code and for half an hour. */
export const namePayerRoute = implement(namePayer, async (ctx, { code, wechatCode }) =>
  sealPayer(ctx, await findCode(ctx, code), wechatCode),
);

/** The same for any page of a merchant: sealed for the id that is given. @throws 409 without an official account, 400, 503 */
export async function sealPayer(
  ctx: Ctx,
  found: Pick<FoundCode, "id" | "service_provider_id" | "merchant_id">,
  wechatCode: string,
): Promise<{ payer: string }> {
  const app = await appOf(ctx, found);
  const secret = app && openAppSecret(ctx.services, app);
  if (!app || secret === undefined) throw conflict("商户未开通微信内付款", "payer.missing");
  const said = await payerDoorOf(ctx.services).openIdOf(app, secret, wechatCode);
  if (said.kind === "refused") throw new Refusal(400, "payer.refused", `微信没有认出付款人（${said.message}），请重新打开`);
  if (said.kind === "unknown") throw new Refusal(503, "payer.unknown", "微信暂时没有应答，请稍后重试", undefined, { "retry-after": "3" });
  const payer = { openId: said.value, until: ctx.now_ms + GOOD_FOR_MS };
  return { payer: seal(keyOf(ctx), placeOf(found.id), JSON.stringify(payer)) };
}

/** Where WeChat tells a page of a merchant who holds the phone; nothing where the merchant's official account isn't set up. */
export async function payerUrlOf(
  ctx: Ctx,
  merchant: Pick<FoundCode, "service_provider_id" | "merchant_id">,
  path: string,
): Promise<string | null> {
  const app = await appOf(ctx, merchant);
  return app ? payerDoorOf(ctx.services).authorizeUrl(app, `${ctx.services.config.public_url}${path}`, "pay") : null;
}

/** The openid inside. @throws 400 where it was not sealed for this code or is over */
export function openPayer(ctx: Ctx, { id }: Pick<FoundCode, "id">, sealed: string): string {
  const over = new Refusal(400, "payer.over", "页面停留过久，请重新打开");
  let payer: z.output<typeof named>;
  try {
    payer = named.parse(JSON.parse(unseal(keyOf(ctx), placeOf(id), sealed)));
  } catch {
    throw over;
  }
  if (payer.until <= ctx.now_ms) throw over;
  return payer.openId;
}
