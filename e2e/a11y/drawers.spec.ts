import type { Page } from "@playwright/test";
import { expect, sharedToken, test } from "../journey.ts";
import { api } from "../world.ts";
import { ALIKE, DRAWERS, type DrawerToLookAt, TICKED } from "./drawers.ts";
import { clean } from "./look.ts";

// Each drawer as its address opens it, light and dark; EVERY_SCREEN=all (npm run proofs) opens those too that are like another one.
// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

const ALL = process.env["EVERY_SCREEN"] === "all";

async function lookAt(page: Page, token: string, [name, address, list, column = "id"]: DrawerToLookAt): Promise<void> {
  let id = "";
  if (list !== undefined && list !== TICKED) {
    const { status, data } = await api<{ items: Record<string, string>[] }>(token, "GET", list);
    expect(status, `${list}: ${JSON.stringify(data)}`).toBe(200);
    id = data.items[0]![column]!;
  }
  await page.goto(`/#${address.replaceAll(":id", id)}`);
  if (list === TICKED) await page.locator(".view:visible .rows tbody").getByRole("checkbox").first().check();
  const drawer = page.getByRole("dialog", { name });
  await expect(drawer).toBeVisible();
  await expect(drawer.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
  await clean(page, address, "[role=dialog]");
}

for (const [like, table] of [["", DRAWERS] as const, ...(ALL ? [[", like others", ALIKE] as const] : [])])
  for (const [area, people] of Object.entries(table))
    for (const [login, drawers] of Object.entries(people))
      test.describe(login, () => {
        test.use({ login });
        test(`drawers of ${area}${like}`, async ({ page }) => {
          const token = await sharedToken(login);
          for (const drawer of drawers) await test.step(drawer[1], () => lookAt(page, token, drawer));
        });
      });
