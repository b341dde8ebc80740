import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const everywhere = ["kit", "domains", "apps", "tools", "bench"];

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: "server",
          environment: "node",
          include: everywhere.map((room) => `${room}/**/*.test.ts`),
          globalSetup: "kit/server/testing/test-global-setup.ts",
          // Against what never ends, not a measure of speed: a busy machine takes several times as long.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Files of one worker share the modules they import: reading them anew for each took as long as the tests did.
          isolate: false,
        },
      },
      {
        test: {
          name: "web",
          environment: "happy-dom",
          include: everywhere.map((room) => `${room}/**/*.test.tsx`),
          testTimeout: 180_000,
        },
      },
    ],
  },
});
