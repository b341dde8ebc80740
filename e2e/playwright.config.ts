import { defineConfig } from "@playwright/test";
import { findBrowser } from "../tools/find-browser.ts";
import { BASE_URL } from "./world.ts";

const { executablePath, args, env } = findBrowser();
/** Journeys through the running product in a real browser. Nothing is tried twice: a journey that fails now and then is broken. */
export default defineConfig({
  testDir: ".",
  globalSetup: "./global-setup.ts",
  workers: 2,
  retries: 0,
  fullyParallel: false,
  // The way of an order counts what a shop sells, so nobody else may sell beside it. `--no-deps` leaves it out.
  projects: [
    { name: "alone", testMatch: "order-way.spec.ts" },
    { name: "together", testIgnore: "order-way.spec.ts", dependencies: ["alone"] },
  ],
  // Against what never comes, not a measure of speed: a busy machine takes several times as long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  outputDir: "../.test/journeys",
  use: {
    baseURL: BASE_URL,
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      // A camera that shows something, and whose use nobody has to allow.
      args: [
        ...args,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
      env: { ...process.env, ...env } as Record<string, string>,
    },
  },
});
