import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { domains } from "./domains.ts";
import { screensSeen } from "../../tools/generated/coverage.ts";

// In the place of a journey for each kind: whatever is told of leads to a screen whose own code makes the call that ends it, and whoever is told
// may make that call. Journeys press seven kinds (e2e/todos.spec.ts); that each comes and goes is domains/todos/server/todos.test.ts.

/** The calls that make a kind go, by their names in the contracts; `screen › call` where the opened screen leads on to another one. */
const GOES: Readonly<Record<string, readonly string[]>> = {
  activities: ["decideActivity"],
  "grants-to-review": ["decideGrant"],
  "materials-to-audit": ["auditMaterials"],
  "materials-refused": ["startUpload"],
  "applyments-rejected": ["/applyment/form › saveDossier"],
  "applyments-refused": ["/applyment/form › saveDossier"],
  // Done at the channel, by the code that the drawer shows.
  "applyments-to-confirm": ["getApplyment"],
  "applyments-to-scan": ["getApplyment"],
  "dossiers-not-sent": ["saveDossier"],
  "withdrawals-to-decide": ["decideWithdrawal"],
  "withdrawals-to-record": ["recordWithdrawal"],
  campaigns: ["decideCampaign"],
  "provider-campaigns": ["decideCampaign"],
  packages: ["decidePackage"],
  betterments: ["decideBetter"],
  "send-revokes": ["decideRevoke"],
  "subsidies-to-pay": ["payStatement"],
  "subsidies-to-confirm": ["answerStatement"],
  "campaigns-offered": ["answerCampaign"],
  "carrier-differences": ["retryDifference", "checkDifference"],
  // It goes by itself, when the device is heard again.
  "devices-offline": ["getDevice"],
  "imports-waiting": ["runImport"],
  "imports-left-over": ["checkLines"],
  "push-endpoints-off": ["steerPushEndpoint"],
  "pushes-given-up": ["replayPushDelivery"],
  "invoice-applications": ["decideApplication"],
  "invoices-failed": ["retryInvoice"],
  "invoice-reds-failed": ["steerRed", "takeRed"],
  "tax-sessions": ["refreshSession"],
  "invoice-settings-missing": ["setInvoiceSettings"],
  lotteries: ["decideLottery"],
  "mall-orders-to-ship": ["shipMallOrder"],
  openings: ["decideOpenings"],
  merges: ["decideMerge"],
  "refunds-to-approve": ["decideRefundRequest"],
  "refunds-failed": ["retryRefund", "redirectRefund"],
  "refund-evidence": ["decideEvidence"],
  // It goes by itself, when the order is heard; the platform looks why it was not.
  "hearings-failed": ["getPayOrder"],
  "merchants-without-channel": ["/merchants/v3Secret › setChannelSecret", "/applyment/form › saveDossier"],
  "own-channel-missing": ["setChannelSecret", "updateChannelAccount"],
  "channel-keys-refused": ["setChannelSecret"],
  "certificates-ending": ["updateChannelAccount"],
  "provider-contracts-ending": ["renewContract"],
  "agent-contracts-to-review": ["reviewAgentContract"],
  "agent-contracts-ending": ["renewAgentContract"],
  "takeaway-ended": ["savePlatformAccount"],
  "vouchers-unknown-dy": ["noteVoucherFound", "decideVoucherFound"],
  "vouchers-unknown-ks": ["noteVoucherFound", "decideVoucherFound"],
  "point-adjustments": ["decidePointAdjustment"],
  "point-clears": ["decideClearNow"],
  "shares-missed": ["retryShare"],
  "receivers-unknown": ["bindReceiver"],
  "returns-failed": ["retryReturn"],
  "share-records": ["decideShareRecord"],
  "return-records": ["decideReturnRecord"],
  "differences-open": ["repairDifferences", "proposeWriteOff"],
  "differences-proposed": ["decideWriteOff"],
  "bill-files-failed": ["fetchBill", "startBillUpload"],
  "store-days-proposed": ["closeStoreDay"],
  "abnormal-stores": ["handleAbnormalStores"],
  "recharges-to-decide": ["decideRecharge"],
  "recharge-coupons-failed": ["settleRechargeCoupons"],
  "card-refunds-to-decide": ["decideCardRefund"],
  "card-refunds-to-confirm": ["confirmCardRefund"],
  "balances-to-adjust": ["decideAdjust"],
  "other-stores": ["saveOtherStore"],
  "wx-stores-rejected": ["submitWxStore"],
  "vip-terms-ending": ["sellTerm"],
  "group-notes": ["decideNote"],
  "group-note-drafts": ["handNote"],
  "group-note-results": ["steerNote"],
  "wx-menus-unpublished": ["publishMenu"],
};
/** The same of the first steps. */
const MAKES: Readonly<Record<string, readonly string[]>> = {
  provider: ["addProviderAccount"],
  contract: ["moveContract"],
  salesman: ["addSalesmanAccount"],
  team: ["addTeamAccount"],
  merchant: ["addMerchantAccount"],
  channel: ["setChannelSecret", "updateChannelAccount"],
  agent: ["addAgentAccount"],
  store: ["openStore"],
  device: ["bindDevice"],
  cashier: ["openCashier"],
  // A till takes it; the list shows it.
  payment: ["listPayOrders"],
};

const ROOT = join(import.meta.dirname, "../..");
const calls = new Map<string, Endpoint[]>();
for (const path of globSync("domains/*/{contract.ts,contract/**/*.ts}", { cwd: ROOT }))
  if (!path.includes(".test."))
    for (const [name, one] of Object.entries((await import(join(ROOT, path))) as Record<string, unknown>))
      if (typeof one === "object" && one !== null && "access" in one && "path" in one)
        calls.set(name, [...(calls.get(name) ?? []), one as Endpoint]);
const files = new Map([...screensSeen().values()].flat().map(({ path, file }) => [path, file]));

/** What a screen is made of: its file and all that it imports from the web side of rooms; a door's screens are others'. */
function codeOf(path: string, seen = new Map<string, string>()): string {
  const read = (file: string): void => {
    if (seen.has(file) || !existsSync(join(ROOT, file))) return;
    const text = readFileSync(join(ROOT, file), "utf8");
    seen.set(file, text.replaceAll(/^import [^;]+;$/gm, ""));
    for (const [, next = ""] of text.replaceAll(/screen\(\(\) => import\([^)]*\)/g, "").matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const to = join(dirname(file), next);
      if (/^domains\/[^/]+\/web\//.test(to)) read(to);
    }
  };
  read(files.get(path) ?? "");
  return [...seen.values()].join("\n");
}
const pathOf = (address: string): string => address.split("?")[0]!;
/** What is wrong with a way: nobody can make the call from there, or somebody who is told may not. */
function wrong(access: string | readonly string[], address: string, goes: readonly string[] = []): string[] {
  const code = codeOf(pathOf(address));
  const ways = goes
    .map((way) => way.split(" › ") as [string, string?])
    .map(([first, name]) => (name ? { on: first, name } : { name: first }));
  const missing = ways.flatMap(({ on, name }) => [
    ...(on !== undefined && !code.includes(`${on}?`) ? [`${pathOf(address)} does not lead to ${on}`] : []),
    ...(new RegExp(`\\b${name}\\b`).test(on === undefined ? code : codeOf(on)) ? [] : [`${on ?? pathOf(address)} never calls ${name}`]),
  ]);
  const may = (item: string): boolean =>
    ways.some(({ name }) => calls.get(name)?.some((call) => call.access === "signed-in" || [call.access].flat().includes(item as never)));
  return [...missing, ...[access].flat().flatMap((item) => (may(item) ? [] : [`who holds ${item} may not make it go`]))];
}

const kinds = domains.flatMap(({ todos = [] }) => todos);
const steps = domains.flatMap(({ firstSteps = [] }) => firstSteps);
test("every kind and every first step says by which call it goes", () => {
  expect(Object.keys(GOES).toSorted()).toEqual(kinds.map(({ key }) => key).toSorted());
  expect(Object.keys(MAKES).toSorted()).toEqual(steps.map(({ key }) => key).toSorted());
});
test.each(kinds)("$key leads to where it can be done, by whoever is told", ({ key, access, to, opens }) => {
  const list = typeof to === "string" ? to : to("merchants~7");
  const own = opens?.("merchants~7") ?? list;
  expect(wrong(access, own, GOES[key])).toEqual([]);
  // Several open their list, which leads on to each one's own page; its path may begin with what the list is of.
  if (pathOf(list) !== pathOf(own)) expect(codeOf(pathOf(list))).toMatch(new RegExp(`/${pathOf(own).split("/").at(-1)}["?]`));
});
test.each(steps)("the first step $key leads to where it can be done", ({ key, access, to }) => {
  expect(wrong(access, to, MAKES[key])).toEqual([]);
});
test("a screen that only shows what is missing is told", () => {
  expect(wrong("/merchants/config/edit", "/merchants/config", ["setChannelSecret"])).toEqual([
    "/merchants/config never calls setChannelSecret",
    "who holds /merchants/config/edit may not make it go",
  ]);
});
