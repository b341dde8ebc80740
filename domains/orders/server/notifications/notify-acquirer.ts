import { implement } from "@zhangfang/server/calls/call.ts";
import { replyOf } from "../../../channels/server/index.ts";
import { notifyAcquirer } from "../../contract/notifications.ts";
import { takeAccountNotification } from "./take-notification.ts";

/** 收单机构通知. */
export const notifyAcquirerRoute = implement(notifyAcquirer, async (ctx, { settingsId }) => {
  const { account } = await takeAccountNotification(ctx, "acquirer", settingsId);
  return replyOf(account);
});
