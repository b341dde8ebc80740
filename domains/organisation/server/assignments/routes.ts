import type { Route } from "@zhangfang/server/calls/call.ts";
import { assignMerchantsRoute } from "./assign-merchants.ts";
import { cancelAssignmentRoute } from "./cancel-assignment.ts";
import { listAssignmentsRoute } from "./list-assignments.ts";

/** Every call about who gets which merchants. */
export const assignmentRoutes: Route[] = [assignMerchantsRoute, listAssignmentsRoute, cancelAssignmentRoute];
