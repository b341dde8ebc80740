import { configPolicies } from "./policy-config.ts";
import { ADMIN, type Policy, SP } from "./policy.ts";

export const adPolicies: readonly Policy[] = [
  ...configPolicies({ thing: "ad", legacy: "/ad/api/Ad", who: [...ADMIN, ...SP], facts: ({ adConfig }) => adConfig }),
];
