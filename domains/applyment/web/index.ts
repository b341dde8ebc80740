import { screen } from "@zhangfang/web/screen.ts";

/** The page of a merchant's link, which stands by itself. */
export const openFillPage = () => import("./phone/FillPage.tsx");

/** 进件: what merchants open accounts with. */
export const screens = {
  "applyment-form": screen(() => import("./form/ApplymentForm.tsx"), "ApplymentForm"),
  "applyment-info": screen(() => import("./info/ApplymentInfo.tsx"), "ApplymentInfo"),
};
