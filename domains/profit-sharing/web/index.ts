import "./sharing.css";
import { screen } from "@zhangfang/web/screen.ts";

/** The screens of profit sharing, each loaded when somebody first opens it. */
export const screens = {
  "profit-sharing-list": screen(() => import("./ShareList.tsx"), "ShareList"),
  "profit-refund-list": screen(() => import("./ReturnList.tsx"), "ReturnList"),
};
