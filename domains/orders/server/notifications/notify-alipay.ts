import { implement } from "@zhangfang/server/calls/call.ts";
import { notifyAlipay } from "../../contract/notifications.ts";
import { takeAccountNotification } from "./take-notification.ts";

/** 支付宝通知. */
export const notifyAlipayRoute = implement(notifyAlipay, async (ctx, { settingsId }) => {
  await takeAccountNotification(ctx, "alipay", settingsId);
  return "success" as const;
});
