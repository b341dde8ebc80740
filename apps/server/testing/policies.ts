import type { Policy } from "./policy.ts";
import { adPolicies } from "./policy-ads.ts";
import { agentPolicies } from "./policy-agents.ts";
import { accountPolicies } from "./policy-accounts.ts";
import { cashierPolicies } from "./policy-cashiers.ts";
import { commissionPolicies } from "./policy-commissions.ts";
import { devicePolicies } from "./policy-devices.ts";
import { equipmentPolicies } from "./policy-equipment.ts";
import { importPolicies } from "./policy-imports.ts";
import { hardwarePolicies } from "./policy-hardware.ts";
import { commentPolicies } from "./policy-comments.ts";
import { mallPolicies } from "./policy-mall.ts";
import { materialPolicies } from "./policy-materials.ts";
import { merchantPolicies } from "./policy-merchants.ts";
import { onlinePolicies } from "./policy-online.ts";
import { orderPolicies } from "./policy-orders.ts";
import { otherPolicies } from "./policy-others.ts";
import { playPolicies } from "./policy-plays.ts";
import { providerPolicies } from "./policy-providers.ts";
import { ratePolicies } from "./policy-rates.ts";
import { reconciliationPolicies } from "./policy-reconciliation.ts";
import { salesmanPolicies } from "./policy-salesmen.ts";
import { sharingPolicies } from "./policy-sharing.ts";
import { sitePolicies } from "./policy-sites.ts";
import { payCodePolicies } from "./policy-pay-codes.ts";
import { statisticsPolicies } from "./policy-statistics.ts";
import { storeChannelPolicies, storePolicies, storeSetPolicies } from "./policy-stores.ts";
import { teamPolicies } from "./policy-teams.ts";
import { tillPolicies } from "./policy-tills.ts";

/** The whole table: one row for each route, written down by hand from the permission table and the tree. */
export const POLICIES: readonly Policy[] = [
  ...accountPolicies,
  ...agentPolicies,
  ...adPolicies,
  ...merchantPolicies,
  ...importPolicies,
  ...providerPolicies,
  ...ratePolicies,
  ...commissionPolicies,
  ...salesmanPolicies,
  ...teamPolicies,
  ...sitePolicies,
  ...orderPolicies,
  ...sharingPolicies,
  ...tillPolicies,
  ...reconciliationPolicies,
  ...onlinePolicies,
  ...mallPolicies,
  ...commentPolicies,
  ...devicePolicies,
  ...materialPolicies,
  ...playPolicies,
  ...equipmentPolicies,
  ...cashierPolicies,
  ...hardwarePolicies,
  ...payCodePolicies,
  ...statisticsPolicies,
  ...storePolicies,
  ...storeSetPolicies,
  ...storeChannelPolicies,
  ...otherPolicies,
];
