import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { idOfToken } from "@zhangfang/server/files/signed-link.ts";
import { scriptDoorOf } from "../../../channels/server/index.ts";
import { getPayoutPage, openPayoutInWechat } from "../../contract/index.ts";
import { CONFIRM, confirmUrlOf, OPENS_PAGE } from "./confirm-link.ts";
import { payoutAccountOf } from "./payout-settings.ts";

type Page = OutputOf<typeof getPayoutPage>;
interface Found extends Pick<Page, "brandName" | "withdrawalNo" | "netCents" | "state" | "until"> {
  readonly id: string;
  readonly provider: string;
  readonly package: string | null;
  readonly mchId: string | null;
  readonly appId: string | null;
}
/** The withdrawal behind a link that we signed; every other link is one answer. @throws 404 */
async function findPayout(ctx: Ctx, token: string): Promise<Found> {
  const id = idOfToken(ctx.services, CONFIRM, token);
  const found = id
    ? await ctx.platform("whose payout is it", (tx) =>
        sql<Found>`
        select w.id, w.service_provider_id as provider, coalesce(p.brand_title, p.short_name) as "brandName", w.withdrawal_no as "withdrawalNo",
          w.net_cents as "netCents", w.confirm_by as until, w.package_info as package, coalesce(w.mch_id, s.mch_id) as "mchId", s.app_id as "appId",
          case when w.status in (3, 6) then 'arrived' when w.status <> 2 or w.confirm_by <= ${ctx.now}::timestamptz then 'over'
            when w.channel_state = any(${OPENS_PAGE}) and w.package_info is not null and w.cancel_asked_at is null then 'waiting' else 'soon' end as state
        from withdrawals w join service_providers p on p.id = w.service_provider_id
        left join payout_settings s on s.service_provider_id = w.service_provider_id where w.id = ${id}`.execute(tx),
      )
    : undefined;
  const row = found?.rows[0];
  if (!row) throw new Refusal(404, "payout.void", "收款链接无效，请向服务商索取新的链接");
  return row;
}

/** 确认收款页面: what is to be confirmed and until when; what it came to, once it is over. */
export const getPayoutPageRoute = implement(getPayoutPage, async (ctx, { token }) => {
  const found = await findPayout(ctx, token);
  const { brandName, withdrawalNo, netCents, state, until, mchId, appId } = found;
  const waits = state === "waiting" && mchId !== null && appId !== null && found.package !== null;
  const { demo, simulator_port } = ctx.services.config;
  return {
    brandName,
    withdrawalNo,
    netCents,
    state,
    until,
    invoke: waits ? { mchId, appId, package: found.package } : null,
    qr: qrPath(confirmUrlOf(ctx.services, found.id)),
    phoneUrl: demo && waits ? `http://127.0.0.1:${simulator_port}/#transfers` : null,
  };
});

/** 微信内确认收款: signs the page's own address, and no other, for WeChat's bridge. */
export const openPayoutInWechatRoute = implement(openPayoutInWechat, async (ctx, { token, query }) => {
  const found = await findPayout(ctx, token);
  if (found.state !== "waiting") throw conflict("这笔转账不在等待确认，请刷新后查看");
  const settings = await ctx.platform("sign a payout's page", (tx) => payoutAccountOf(tx, ctx.services, found.provider));
  if (!settings?.appSecret) throw conflict("服务商没有设置公众号，不能在微信内确认，请联系服务商", "payout.no-app");
  const url = `${confirmUrlOf(ctx.services, found.id)}${query}`;
  const said = await scriptDoorOf(ctx.services).configOf(settings.account, settings.appSecret, url, ctx.now_ms);
  if (said.kind === "ok") return said.value;
  if (said.kind === "refused") ctx.services.log.error({ provider: found.provider, code: said.code }, "no ticket for a payout's page");
  throw new Refusal(503, "payout.wechat", "微信暂时没有应答，请稍后重试", undefined, { "retry-after": "3" });
});
