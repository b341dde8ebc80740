import type { Route } from "@zhangfang/server/calls/call.ts";
import { getRates } from "./get-rates.ts";
import { setRate } from "./set-rate.ts";
import { getShareRatio, setShareRatio } from "./share-ratio.ts";

/** Every call about rates, and about the ratios of groups, teams and salesmen. */
export const rateRoutes: Route[] = [getRates, setRate, getShareRatio, setShareRatio];
