import type { Route } from "@zhangfang/server/calls/call.ts";
import { getRatesRoute } from "./get-rates.ts";
import { setRateRoute } from "./set-rate.ts";
import { getShareRatioRoute, setShareRatioRoute } from "./share-ratio.ts";

/** Every call about rates, and about the ratios of groups, teams and salesmen. */
export const rateRoutes: Route[] = [getRatesRoute, setRateRoute, getShareRatioRoute, setShareRatioRoute];
