import type { Route } from "@zhangfang/server/call.ts";
import { adConfigRoutes } from "./config/ad-config.ts";
import { getMaterialFileRoute } from "./materials/file-link.ts";

export const routes: Route[] = [...adConfigRoutes, getMaterialFileRoute];

export { materialLink } from "./materials/file-link.ts";
