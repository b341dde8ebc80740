import { call } from "@zhangfang/web/api/api.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerRegions } from "@zhangfang/web/slots.ts";
import { listRegions } from "../contract.ts";

/** 行政区划 and 行业, kept by the platform. */
export const screens = {
  trade: screen(() => import("./TradeList.tsx"), "TradeList"),
  province: screen(() => import("./ProvinceList.tsx"), "ProvinceList"),
  city: screen(() => import("./CityList.tsx"), "CityList"),
};

registerRegions(() => call(listRegions, {}));
export { TradeField } from "./TradeField.tsx";
