import { defineConfig } from "vitest/config";

const everywhere = ["kit", "domains", "apps", "tools", "bench"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "server",
          environment: "node",
          include: everywhere.map((room) => `${room}/**/*.test.ts`),
          globalSetup: "kit/server/test-global-setup.ts",
          // Against what never ends, not a measure of speed: a busy machine takes several times as long.
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: "web",
          environment: "happy-dom",
          include: everywhere.map((room) => `${room}/**/*.test.tsx`),
          testTimeout: 90_000,
        },
      },
    ],
  },
});
