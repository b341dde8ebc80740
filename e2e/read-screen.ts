import type { Locator, Page } from "@playwright/test";

/** The cents that a text such as ¥1,234.50 or −3.20 says; nothing is zero. */
export function centsIn(text: string | undefined): number {
  const plain = (text ?? "").replaceAll(/[¥,\s]/g, "").replace("−", "-");
  if (plain === "" || plain === "—") return 0;
  const match = /^(-?)(\d+)\.(\d\d)$/.exec(plain);
  if (!match) throw new Error(`「${text}」 is no amount`);
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 100 + Number(match[3]));
}

/** Every label and its value inside an element. */
export async function factsOf(inside: Locator): Promise<Record<string, string>> {
  await inside.locator("dd").first().waitFor();
  return inside.evaluate((element: HTMLElement) =>
    Object.fromEntries(
      [...element.querySelectorAll("dl > div")].map((pair) => [
        pair.querySelector<HTMLElement>("dt")?.innerText.trim() ?? "",
        pair.querySelector<HTMLElement>("dd")?.innerText.trim() ?? "",
      ]),
    ),
  );
}

/** The line of totals over a list: how many rows, and the sums in cents. */
export async function totalsOf(page: Page): Promise<Record<string, number>> {
  const texts = await page.locator(".totals:visible").first().locator("strong, span:has(> b)").allInnerTexts();
  const sums: Record<string, number> = {};
  for (const text of texts) {
    const count = /^共 ([\d,]+)/.exec(text)?.[1];
    const [, label, amount] = /^(.*?)\s*(−?¥[\d,.]+)$/.exec(text) ?? [];
    if (count !== undefined) sums["count"] = Number(count.replaceAll(",", ""));
    else if (label !== undefined) sums[label] = centsIn(amount);
  }
  return sums;
}

/** The row of the shown list that carries a number. */
export const rowOf = (page: Page, no: string): Locator => page.getByRole("row").filter({ hasText: no });
