import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../journey.ts";

/**
 * All rules, or those of colours alone. Only what breaks one is told: to name every node that keeps each rule, and to carry that out of the page and into another
 * one, took eight times as long as looking (4.3 s of 新建广告 against 0.5 s).
 */
function axe(page: Page, coloursAlone: boolean, within: string | undefined): AxeBuilder {
  const builder = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"], ...(coloursAlone && { runOnly: { type: "rule", values: COLOURS } }) });
  return within === undefined ? builder : builder.include(within);
}

/** What a theme can break: its colours. Names, roles, order and sizes are the same in both. */
const COLOURS = ["color-contrast", "link-in-text-block"];

const ALL = process.env["EVERY_SCREEN"] === "all";
const BOTH = ["light", "dark"] as const;
/** In dark too by EVERY_SCREEN=all (npm run proofs); by itself each spec's first list is. */
const THEMES: readonly ("light" | "dark")[] = ALL ? BOTH : BOTH.slice(0, 1);

/**
 * Looks at what is shown.
 * @param within a part of the page, where the rest was looked at before and has not changed
 */
export async function clean(page: Page, what: string, within?: string, themes = THEMES): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The small pages follow the system by their sheet alone.
    if ((await page.locator("html[data-theme]").count()) > 0) await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const { violations } = await axe(page, colorScheme === "dark", within).analyze();
    const told = violations.map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}): ${nodes.map(({ target, failureSummary }) => `${String(target)} ${failureSummary}`).join(" | ")}`,
    );
    expect(told, `${what}, ${colorScheme}`).toEqual([]);
  }
}
/** From now on the calls of a screen answer what a server answers that is broken. */
export const breakCalls = (page: Page, calls: RegExp) =>
  page.route(calls, (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "about:blank",
        title: "服务器内部错误",
        status: 500,
        code: "fault",
        traceId: "5f3a9c1e-0000-4000-8000-000000000000",
      }),
    }),
  );
export const alert = (page: Page) => page.locator(".view:visible").getByRole("alert").filter({ hasText: "追踪编号" }).first();

/** A list of a screen: who looks at it, where it stands, and the calls that fill it. */
export type ListToLookAt = readonly [title: string, login: string, path: string, calls: RegExp];

/**
 * Every list with rows, without, and broken. What says that there is nothing or that it broke is one part for all: looked at in the first
 * list of a spec, in dark too, and in every list by EVERY_SCREEN=all (npm run proofs).
 */
export function lookAtLists(lists: readonly ListToLookAt[]): void {
  for (const [n, [title, login, path, calls]] of lists.entries()) {
    const themes = n === 0 ? BOTH : THEMES;
    test.describe(title, () => {
      test.use({ login });
      test(`${title} with rows, without, and broken`, async ({ page }) => {
        await page.goto(`/#${path}`);
        await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
        const more = page.getByRole("button", { name: "更多筛选" });
        if ((await more.count()) > 0) await more.click();
        await clean(page, "with rows", undefined, themes);
        if (n > 0 && !ALL) return;
        const and = path.includes("?") ? "&" : "?";
        await page.goto(`/#${path}${and}keyword=NOTHING0000LIKE0THIS`);
        await expect(page.locator(".view:visible .empty")).toBeVisible();
        await clean(page, "nothing found", ".view", themes);
        await breakCalls(page, calls);
        await page.goto(`/#${path}${and}keyword=OTHER0000`);
        await expect(alert(page)).toBeVisible();
        await clean(page, "broken", ".view", themes);
      });
    });
  }
}
