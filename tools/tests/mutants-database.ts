// What guards money in statements, changed one line at a time; the tests of the rooms around it run over a real PostgreSQL. What
// lives is printed. npm run proofs -- mutants-database
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { copyTree } from "./copy-tree.ts";
import { mutationsOf } from "./mutations.ts";

/** Each file with the tests that notice what it does, the quickest first. Every hearer of a settlement is here; a test holds that. */
const MUTATED: Readonly<Record<string, readonly string[]>> = {
  "domains/orders/server/refunds/hold-amount.ts": [
    "domains/orders/server/refunds/refund-guards.test.ts",
    "domains/orders/server/refunds/refunds.test.ts",
    "domains/pricing/server/pricing.test.ts",
    "domains/profit-sharing/server/returns/returns.test.ts",
  ],
  "domains/orders/server/refunds/refund-guards.ts": ["domains/orders/server/refunds/refund-guards.test.ts"],
  "domains/mall/server/hear-money.ts": ["domains/mall/server/mall.test.ts"],
  "domains/profit-sharing/server/hear-channel.ts": [
    "domains/profit-sharing/server/returns/returns.test.ts",
    "domains/profit-sharing/server/shares/shares.test.ts",
    "domains/profit-sharing/server/records/records.test.ts",
  ],
  "domains/store-hardware/server/outputs/hear-settlement.ts": ["domains/store-hardware/server/hardware.test.ts"],
  "domains/stored-value/server/recharge/hear-recharge.ts": ["domains/stored-value/server/stored-value.test.ts"],
  "domains/invoices/server/red/hear-refunds.ts": ["domains/invoices/server/invoices.test.ts"],
  "domains/orders/server/settlements/follow-order.ts": [
    "domains/orders/server/settlements/settlements.test.ts",
    "domains/points/server/points.test.ts",
    "domains/vip/server/vip.test.ts",
  ],
  "domains/products/server/shelf/take-sold.ts": ["domains/products/server/shelf/stock.test.ts", "apps/server/member-orders.test.ts"],
  "domains/coupons/server/packages/hear-package.ts": ["domains/coupons/server/packages/packages.test.ts"],
  "domains/activities/server/events/paid.ts": ["domains/activities/server/activities.test.ts"],
  "domains/vip/server/hear-money.ts": ["domains/vip/server/vip.test.ts"],
  "domains/vip/server/terms/hear-term.ts": ["domains/vip/server/vip.test.ts"],
  "domains/vip/server/times/hear-card.ts": ["domains/vip/server/vip.test.ts"],
};
/** What nobody could notice, by a part of its file and what is changed, and why. */
const UNSEEN: readonly (readonly [file: string, what: string, why: string])[] = [
  [
    "refund-guards.ts",
    '.where("refund_daily_limit_cents", "is not", null) → nothing',
    "without a limit it would hold a row and refuse nothing",
  ],
];
/** Of a hundred: below that the part fails. */
const LEAST = 85;

const asked = process.argv.slice(2);
const copy = copyTree("zf-mutants-");
const vitest = await createVitest("test", { root: copy, watch: false, bail: 1, maxWorkers: 1, isolate: true, reporters: [{}] });
/** Whether all of the tests go well, one file after the other. */
async function goesWell(tests: readonly string[]): Promise<boolean> {
  for (const test of tests) {
    const specifications = await vitest.globTestSpecifications([test]);
    if (specifications.length === 0) throw new Error(`no such test: ${test}`);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // It tells of all that were ever run, and what an earlier change broke elsewhere is not this one's.
    const ran = testModules.filter(({ moduleId }) => specifications.some((one) => one.moduleId === moduleId));
    if (unhandledErrors.length > 0 || !ran.every((module) => module.ok())) return false;
  }
  return true;
}

let [all, killed] = [0, 0];
for (const [file, tests] of Object.entries(MUTATED)) {
  if (asked.length > 0 && !asked.some((part) => file.includes(part))) continue;
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  // Looked at on both sides: whatever else makes the tests fail would count as noticed.
  const unchanged = async () => {
    if (!(await goesWell(tests))) throw new Error(`the tests of ${file} fail without a change`);
  };
  await unchanged();
  let lived = 0;
  const mutations = mutationsOf(source).filter(({ what }) => !UNSEEN.some(([part, unseen]) => file.endsWith(part) && what === unseen));
  for (const { line, what, text } of mutations) {
    writeFileSync(path, text);
    vitest.invalidateFile(path);
    if (!(await goesWell(tests))) continue;
    lived += 1;
    process.stdout.write(`  ${file}:${line}: ${what}\n`);
  }
  writeFileSync(path, source);
  vitest.invalidateFile(path);
  await unchanged();
  all += mutations.length;
  killed += mutations.length - lived;
  process.stdout.write(`${file}: ${mutations.length - lived} of ${mutations.length} killed\n`);
}
await vitest.close();
rmSync(copy, { recursive: true, force: true });
process.stdout.write(`${killed} of ${all} changes were noticed\n`);
process.exit(killed * 100 >= all * LEAST ? 0 : 1);
