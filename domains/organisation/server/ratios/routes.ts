import type { Route } from "@zhangfang/server/call.ts";
import { getRates } from "./get-rates.ts";
import { setRate } from "./set-rate.ts";

/** Every call about rates. */
export const rateRoutes: Route[] = [getRates, setRate];
