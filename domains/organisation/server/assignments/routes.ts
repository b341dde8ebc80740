import type { Route } from "@zhangfang/server/calls/call.ts";
import { assignMerchants } from "./assign-merchants.ts";
import { cancelAssignment } from "./cancel-assignment.ts";
import { listAssignments } from "./list-assignments.ts";

/** Every call about who gets which merchants. */
export const assignmentRoutes: Route[] = [assignMerchants, listAssignments, cancelAssignment];
