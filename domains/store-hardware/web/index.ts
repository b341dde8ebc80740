import { screen } from "@zhangfang/web/screen.ts";

/** The printers and speakers of stores, each screen loaded when somebody first opens it. */
export const screens = {
  "store-printers": screen(() => import("./PrinterList.tsx"), "PrinterList"),
  "store-trumpet": screen(() => import("./SpeakerList.tsx"), "SpeakerList"),
};
