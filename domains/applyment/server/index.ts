import { sql } from "kysely";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { getApplymentAccountRoute, setApplymentAccountRoute } from "./account/account-routes.ts";
import { askWillingRoute, chooseNumberRoute, tickAfterRoute } from "./applyments/after.ts";
import { applymentExport, getApplymentRoute, listApplymentsRoute, summariseApplymentsRoute } from "./applyments/read-applyments.ts";
import { askApplymentRoute, submitApplymentRoute, voidApplymentRoute } from "./applyments/submit.ts";
import { findBanksRoute, findBranchesRoute } from "./banks/bank-routes.ts";
import { chaseApplyments } from "./asking/chase.ts";
import { remindOfApplyments } from "./asking/tell-people.ts";
import { getDossierRoute, saveDossierRoute } from "./dossiers/dossier-routes.ts";
import { listDossiersRoute } from "./dossiers/list-dossiers.ts";
import { addApplymentFileRoute, getApplymentFileRoute, lookAtApplymentFileRoute } from "./files/file-routes.ts";
import { findFillBanksRoute, findFillBranchesRoute } from "./links/fill-banks.ts";
import { addFillFileRoute, getFillPageRoute, saveFillPageRoute } from "./links/fill-page.ts";
import { addApplymentLinkRoute, listApplymentLinksRoute, revokeApplymentLinkRoute } from "./links/link-routes.ts";
import { purgeApplymentFiles } from "./files/purge-files.ts";
import {
  addPackageRoute,
  getPackageFileRoute,
  listPackagesRoute,
  lookAtPackageRoute,
  setPackageStateRoute,
} from "./packages/package-routes.ts";
import { verifyApplyments } from "./verify-applyments.ts";
import { applymentTodos } from "./todos.ts";

export { giveApplymentAccount } from "./account/account-of.ts";

export const applyment = domain({
  keptFiles: sql`select f.id::text, f.service_provider_id from applyment_files f where f.gone_at is null`,
  routes: [
    getApplymentAccountRoute,
    setApplymentAccountRoute,
    listDossiersRoute,
    getDossierRoute,
    saveDossierRoute,
    findBanksRoute,
    findBranchesRoute,
    addApplymentFileRoute,
    lookAtApplymentFileRoute,
    getApplymentFileRoute,
    listApplymentsRoute,
    summariseApplymentsRoute,
    getApplymentRoute,
    submitApplymentRoute,
    askApplymentRoute,
    voidApplymentRoute,
    chooseNumberRoute,
    tickAfterRoute,
    askWillingRoute,
    listApplymentLinksRoute,
    addApplymentLinkRoute,
    revokeApplymentLinkRoute,
    getFillPageRoute,
    saveFillPageRoute,
    addFillFileRoute,
    findFillBanksRoute,
    findFillBranchesRoute,
    listPackagesRoute,
    addPackageRoute,
    lookAtPackageRoute,
    getPackageFileRoute,
    setPackageStateRoute,
  ],
  exports: [applymentExport],
  jobs: [chaseApplyments, remindOfApplyments, purgeApplymentFiles],
  verify: { name: "applyment", run: verifyApplyments },
  todos: applymentTodos,
});
