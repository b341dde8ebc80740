import { defineConfig } from "vitest/config";

/** One room alone (tools/tests/mutants-rooms.ts): what is changed once for all tests is tried by few. */
const room = process.env["MUTANTS_ROOM"] ?? "{kit/contract,domains/*}";

// The tests that need nothing but the rules themselves: a thousand changed rules are tried in minutes.
export default defineConfig({
  test: {
    include: [`${room}/money.test.ts`, `${room}/server/**/*-rules.test.ts`, `${room}/contract/rules/*.test.ts`],
    testTimeout: 60_000,
  },
});
