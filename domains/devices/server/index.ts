import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { deviceConfigRoutes } from "./device-config.ts";
import { getOwnConfigRoute } from "./get-own-config.ts";
import { heartbeat } from "./heartbeat.ts";
import { listDevices } from "./list-devices.ts";
import { purgeNonces } from "./purge-nonces.ts";

export const routes: Route[] = [heartbeat, listDevices, getOwnConfigRoute, ...deviceConfigRoutes];
export const jobs: Job[] = [purgeNonces];

export { checkDevice, textToSign } from "./check-device.ts";
export { registerDevice } from "./register-device.ts";
