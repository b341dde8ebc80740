import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { expect, test, vi } from "vitest";
import { findBrowser, OWN_BROWSER } from "./find-browser.ts";

async function titleSeen(): Promise<string> {
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args], env: { ...(process.env as Record<string, string>), ...env } });
  try {
    const page = await browser.newPage();
    await page.setContent("<title>账房</title>");
    return await page.title();
  } finally {
    await browser.close();
  }
}

test("the browser that is found opens a page", async () => {
  expect(await titleSeen()).toBe("账房");
});

test("CHROME goes before everything else; without any browser that is said", () => {
  vi.stubEnv("CHROME", process.execPath);
  expect(findBrowser().executablePath).toBe(process.execPath);
  vi.stubEnv("CHROME", "/nowhere");
  vi.stubEnv("ZHANGFANG_OWN_BROWSER", "yes");
  if (!existsSync(OWN_BROWSER)) expect(() => findBrowser()).toThrow("没有找到 Chromium 或 Chrome");
  vi.unstubAllEnvs();
});
