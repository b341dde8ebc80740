import { implement } from "@zhangfang/server/calls/call.ts";
import { notifyWechatPay } from "../../contract/notifications.ts";
import { settingsById } from "../channel/channel-account.ts";
import { takeNotification } from "./take-notification.ts";

/** 微信支付通知. */
export const notifyWechatPayRoute = implement(notifyWechatPay, async (ctx, { settingsId }) => {
  const settings = await ctx.platform("find the setting of a notification", (tx) => settingsById(tx, ctx.services, settingsId));
  await takeNotification(ctx, settings);
  return null;
});
