import type { Locator, Page } from "@playwright/test";
import { expect } from "./journey.ts";

interface Move {
  readonly at_ms: number;
  readonly value: number;
  readonly what: string;
}
declare global {
  // What the browser told of things that moved by themselves.
  var movesSeen: Move[] | undefined;
}

/** Writes down from the first drawing on what moves without anybody having pressed anything. Call it before the page opens. */
export async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    }
    const moves: Move[] = (globalThis.movesSeen = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        // Of the page itself: the frame around it is another's.
        const own = entry.sources.flatMap(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return element?.closest("#main, .drawer") ? [element] : [];
        });
        if (own.length === 0) continue;
        const named = own.map(
          (element) => `${element.localName}.${element.className}「${(element.textContent ?? "").trim().slice(0, 24)}」`,
        );
        moves.push({ at_ms: entry.startTime, value: entry.value, what: named.join(", ") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Less is a figure that grew by a digit, because somebody paid meanwhile: it is 0.00 to whoever reports such shifts. */
const LEAST = 0.001;
/** What moved after a moment of the page's own clock. */
export async function movedSince(page: Page, from_ms: number): Promise<string[]> {
  const moves = await page.evaluate(() => globalThis.movesSeen ?? []);
  return moves.filter(({ at_ms, value }) => at_ms > from_ms && value >= LEAST).map(({ value, what }) => `${value.toFixed(4)} ${what}`);
}

/** The rows and figures of the shown page are there. */
export async function stands(page: Page): Promise<void> {
  const view = page.locator(".view:visible");
  await expect(view.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(page.locator(".view:visible .skeleton, .view-skeleton:visible")).toHaveCount(0);
  await expect(view.getByText("正在统计待办…")).toHaveCount(0);
  // Two drawings later the widths that a page measures are those that it shows.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * The amounts and statuses of tables that lie outside of their table, under a column that stands fixed, or are cut; what is wider than its
 * page; a title that does not stand in one line of a wide one; and a figure alone in the last row of its kind.
 * @param still tables may not be scrolled sideways either
 */
export function coveredFigures(view: Locator, { still }: { still: boolean }): Promise<string[]> {
  return view.evaluate((page, tablesStill) => {
    const found: string[] = [];
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);
    const title = page.querySelector<HTMLElement>("h1");
    if (
      title &&
      page.clientWidth > 900 &&
      title.innerText.length < 20 &&
      title.offsetHeight > 1.8 * Number.parseFloat(getComputedStyle(title).fontSize)
    )
      found.push(`the title ${title.innerText} stands in two lines`);
    for (const box of page.querySelectorAll<HTMLElement>(".table-scroll")) {
      const { left, right, width } = box.getBoundingClientRect();
      if (width === 0) continue;
      const name = box.querySelector("table")?.getAttribute("aria-label") ?? "table";
      if (tablesStill && box.scrollWidth > box.clientWidth) found.push(`${name} is scrolled by ${box.scrollWidth - box.clientWidth} px`);
      for (const row of box.querySelectorAll("tbody tr, tfoot tr")) {
        const fixed = row.querySelector(".stick-end")?.getBoundingClientRect().left ?? right;
        for (const cell of row.querySelectorAll<HTMLElement>("td.cell-money, td.cell-code:has(.tag), td:has(> .tag)")) {
          const inside = document.createRange();
          inside.selectNodeContents(cell);
          const at = inside.getBoundingClientRect();
          if (at.width === 0) continue;
          const words = `${name}: ${cell.innerText.trim().slice(0, 30)}`;
          if (at.right > Math.min(right, fixed) + 1 || at.left < left - 1) found.push(`${words} lies outside or under`);
          else if (cell.scrollWidth > cell.clientWidth + 1) found.push(`${words} is cut`);
        }
      }
    }
    for (const figures of page.querySelectorAll(".stats")) {
      const tops = [...figures.querySelectorAll<HTMLElement>(":scope > .stat")].map((figure) => figure.offsetTop);
      const last = tops.filter((top) => top === tops.at(-1)).length;
      if (last === 1 && tops.length > 1) found.push(`${figures.lastElementChild?.textContent} stands alone under the other figures`);
    }
    return [...new Set(found)].slice(0, 12);
  }, still);
}
