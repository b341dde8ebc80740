import { type Policy, policy } from "../../../../apps/server/testing/matrix/policy.ts";

export const todosPolicies: readonly Policy[] = [policy("GET /api/todos", "signed-in"), policy("GET /api/first-steps", "signed-in")];
