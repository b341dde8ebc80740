import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { heartbeat } from "./heartbeat.ts";
import { purgeNonces } from "./purge-nonces.ts";

export const routes: Route[] = [heartbeat];
export const jobs: Job[] = [purgeNonces];

export { checkDevice, textToSign } from "./check-device.ts";
export { registerDevice } from "./register-device.ts";
