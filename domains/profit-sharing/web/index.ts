import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { returnDateOf, returnStatus, sharingDateOf, sharingKind, sharingStatus } from "../contract/index.ts";
import "./sharing.css";

/** The screens of profit sharing, each loaded when somebody first opens it. */
export const screens = {
  "profit-sharing-list": screen(() => import("./ShareList.tsx"), "ShareList"),
  "profit-refund-list": screen(() => import("./ReturnList.tsx"), "ReturnList"),
};
registerExportedList("profit-sharing", {
  path: "/dataCentre/sharing",
  filters: { dateOf: ["日期按", sharingDateOf], status: ["状态", sharingStatus], kind: ["类型", sharingKind] },
});
registerExportedList("share-returns", {
  path: "/dataCentre/sharingReturn",
  filters: { dateOf: ["日期按", returnDateOf], status: ["状态", returnStatus] },
});
