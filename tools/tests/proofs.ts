// npm run proofs: what takes longer than a change should wait for. `npm test` runs a short form of each, with a fixed seed.
// One alone: npm run proofs -- model. Whatever is found there gets a test of its own in `npm test`.
import { run } from "../run.ts";

type Proof = readonly [what: string, env: Readonly<Record<string, string>>, command: string, ...args: string[]];
const PROOFS: Readonly<Record<string, Proof>> = {
  mutants: ["every rule of money changed, one sign at a time", {}, "node", "--no-warnings", "tools/tests/mutants-rooms.ts"],
  "mutants-database": [
    "each guard that stands in a statement, taken away by itself",
    {},
    "node",
    "--no-warnings",
    "tools/tests/mutants-database.ts",
  ],
  // The largest part stands alone, so that nothing is measured beside it.
  bench: ["every part of the bench, small", {}, "node", "bench/run.ts", "--small"],
  escalation: [
    "2,000 sequences of people who try to get more than they were given",
    { ESCALATION_RUNS: "2000" },
    "vitest",
    "run",
    "domains/accounts/server/users/escalation.test.ts",
  ],
  matrix: ["every caller asks for every thing there is", { MATRIX: "all" }, "vitest", "run", "apps/server/matrix.test.ts"],
  hostile: ["every field spoilt in every way", { HOSTILE: "all" }, "vitest", "run", "apps/server/hostile.test.ts"],
  failpoints: [
    "every flow of money and of coupons, ended at each commit and call, and a server that is killed again and again",
    { FAILPOINTS: "all" },
    "vitest",
    "run",
    "apps/server/failpoints.test.ts",
    "apps/server/kill-loop.test.ts",
  ],
  model: [
    "200 sequences of everything that moves money or lowers a price",
    { MODEL_RUNS: "200" },
    "vitest",
    "run",
    "apps/server/money-model.test.ts",
    "apps/server/member-model.test.ts",
    "apps/server/members-rules.test.ts",
    "apps/server/marketing-model.test.ts",
    "apps/platform-simulator/day-model.test.ts",
    "domains/pricing/server/rules/slow-price.test.ts",
  ],
  start: [
    "a first start that is killed midway, and one on a quarter of the machine",
    { START: "all" },
    "vitest",
    "run",
    "apps/demo/start.test.ts",
  ],
  domain: ["a new domain, and the whole check over it", { NEW_DOMAIN: "all" }, "vitest", "run", "tools/new-domain.test.ts"],
  screens: [
    "every journey, with every screen and drawer wide and on a phone, light and dark, and by the keyboard alone",
    { EVERY_SCREEN: "all" },
    "playwright",
    "test",
    "-c",
    "e2e/playwright.config.ts",
  ],
  import: [
    "a sheet of 5,000 members, 50 of them repaired",
    { IMPORT_MEMBERS: "all" },
    "vitest",
    "run",
    "domains/imports/server/import-members.test.ts",
  ],
  push: [
    "100,000 events to 200 receivers, 20 of them dead, slow or lying, and a sender that is killed",
    { PUSH_PROOF: "all" },
    "vitest",
    "run",
    "domains/integrations/server/send/push-proof.test.ts",
  ],
  failover: [
    "twenty primaries in a row that die or hang under the load of tills",
    { FAILOVERS: "20" },
    "vitest",
    "run",
    "apps/server/failover.test.ts",
  ],
  races: [
    "each race of money, of members, of vouchers and of coupons ten times, or of 200 and of 10,000 at once",
    { RACE_REPEATS: "10" },
    "vitest",
    "run",
    "apps/server/money-races.test.ts",
    "apps/server/member-races.test.ts",
    "apps/server/voucher-races.test.ts",
    "apps/server/marketing-races.test.ts",
  ],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PROOFS));
if (unknown.length > 0) {
  process.stderr.write(`no such proof: ${unknown.join(", ")}; there are ${Object.keys(PROOFS).join(", ")}\n`);
  process.exit(2);
}
const lines: string[] = [];
for (const [name, [what, env, command, ...args]] of Object.entries(PROOFS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const from_ms = performance.now();
  const { code } = await run(command, args, { show: true, env });
  if (code !== 0) process.exitCode = 1;
  lines.push(`${code === 0 ? "✓" : "✗"} ${name}: ${what}  ${((performance.now() - from_ms) / 1000).toFixed(0)} s`);
}
process.stdout.write(`${lines.join("\n")}\n`);
