import { screen } from "@zhangfang/web/screen.ts";

/** Where a provider's own systems are told what happened, and what was sent there. */
export const screens = {
  "data-push-index": screen(() => import("./PushEndpoints.tsx"), "PushEndpoints"),
  "data-push-list": screen(() => import("./deliveries/PushDeliveries.tsx"), "PushDeliveries"),
};
