import { defineConfig } from "vitest/config";

// The tests that need nothing but the rules themselves: a thousand changed rules are tried in minutes.
export default defineConfig({
  test: { include: ["kit/contract/money.test.ts", "domains/*/server/**/*-rules.test.ts"], testTimeout: 60_000 },
});
