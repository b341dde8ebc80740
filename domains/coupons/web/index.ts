import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";

export const screens = { "merchant-ticket-list": screen(() => import("./Coupons.tsx"), "Coupons") };

registerExportedList("coupons", { path: "/merchantTicket/list", filters: {} });
