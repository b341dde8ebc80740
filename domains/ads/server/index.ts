import type { Route } from "@zhangfang/server/call.ts";
import { adConfigRoutes } from "./config/ad-config.ts";

export const routes: Route[] = [...adConfigRoutes];
