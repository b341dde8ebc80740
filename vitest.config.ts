import { defineConfig } from "vitest/config";

const everywhere = ["kit", "domains", "apps", "db", "tools", "bench"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "server",
          environment: "node",
          include: everywhere.map((room) => `${room}/**/*.test.ts`),
          globalSetup: "kit/server/test-global-setup.ts",
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: "web",
          environment: "happy-dom",
          include: everywhere.map((room) => `${room}/**/*.test.tsx`),
          testTimeout: 30_000,
        },
      },
    ],
  },
});
