import type { Locator, Page } from "@playwright/test";
import { expect } from "./journey.ts";

interface Walk {
  /** How it ended, once the focus left the page or came back to where it was. */
  end(): string | undefined;
  faults(): string[];
  /** What Tab should have come to. */
  missed(): string[];
}
declare global {
  var walkByKeys: Walk | undefined;
}
/** More controls than any page has. */
const MOST = 500;
/** So many keys, and then it is looked whether there are more. */
const AT_ONCE = 20;

/** Notes how everything within looks while nothing of it has the focus, to tell later what shows that it has. */
async function begin(page: Page, within: string): Promise<void> {
  // A select shows for a moment that it had the focus.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));
  await page.evaluate((scope) => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    const shown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.closest("[inert]") === null && element.getClientRects().length > 0;
    const tabs = (root: Element): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>("a[href],button,input,select,textarea,summary,[tabindex]")].filter(
        (one) => one.tabIndex >= 0 && !one.matches(":disabled") && shown(one),
      );
    const nameOf = (one: Element): string => {
      const words = one.getAttribute("aria-label") ?? (one as HTMLElement).innerText ?? "";
      return `${one.localName}.${one.className}「${(words || (one.closest("label,.field,tr") as HTMLElement | null)?.innerText || "").trim().slice(0, 30)}」`;
    };
    /** Where a ring may be: at the control, at what it is in, and at what is drawn in its place. */
    const around = (one: Element): Element[] => {
      const found = [one];
      for (let up = one.parentElement; up && found.length < 5 && up.id !== "main"; up = up.parentElement) found.push(up);
      return [...found, ...(one.nextElementSibling ? [one.nextElementSibling] : []), ...one.children];
    };
    const ring = (one: Element): string => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderTopColor } = getComputedStyle(one);
      const outline = outlineStyle === "none" || outlineWidth === "0px" || outlineColor.endsWith(", 0)") ? "" : outlineWidth + outlineColor;
      return `${outline}|${boxShadow}|${borderTopColor}`;
    };
    const look = (one: Element): string => around(one).map(ring).join(";");
    const root = [...document.querySelectorAll(scope)].findLast(shown)!;
    const due = new Set(tabs(root));
    const resting = new Map([...due].map((one) => [one as Element, look(one)]));
    const been = new Set<Element>();
    /** What stands for it on the page: a box that is drawn by us has its own one hidden inside a label. */
    const seenAs = (one: Element): Element => {
      const { opacity } = getComputedStyle(one);
      const { width, height } = one.getBoundingClientRect();
      return opacity === "0" || width < 4 || height < 4 ? (one.closest("label") ?? one.parentElement ?? one) : one;
    };
    const inSight = (one: Element): boolean => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x0, x1] = [Math.max(left, 0), Math.min(right, innerWidth)];
      const [y0, y1] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
      if (x1 - x0 < 2 || y1 - y0 < 2) return false;
      return [0.5, 0.1, 0.9].some((across) =>
        [0.5, 0.15, 0.85].some((down) => {
          const hit = document.elementFromPoint(x0 + (x1 - x0) * across, y0 + (y1 - y0) * down);
          return hit !== null && (one.contains(hit) || hit === one.parentElement || hit === one.closest("label"));
        }),
      );
    };
    const faults = new Set<string>();
    let end: string | undefined;
    const notice = (): void => {
      const one = document.activeElement;
      if (end !== undefined) return;
      if (!one || one === document.body || one === document.documentElement) return void (end = "left");
      if (been.has(one)) return void (end = `${nameOf(one)} has the focus again`);
      been.add(one);
      const rested = resting.get(one);
      for (const [what, wrong] of [
        ["is outside", !root.contains(one)],
        ["is not in sight", !inSight(seenAs(one))],
        ["does not show that it has the focus", rested !== undefined && rested === look(one)],
      ] as const)
        if (wrong) faults.add(`${nameOf(one)} ${what}`);
    };
    // With each key but the first, what the one before it led to: it has been scrolled to by then.
    document.addEventListener("keydown", () => document.addEventListener("keydown", notice, true), { capture: true, once: true });
    globalThis.walkByKeys = {
      end: () => end,
      faults: () => [...faults],
      missed: () => {
        const now = new Set(tabs(root));
        const groups = new Set([...been].map((one) => (one instanceof HTMLInputElement && one.type === "radio" ? one.name : "")));
        return [...due]
          .filter((one) => now.has(one) && !been.has(one))
          .filter((one) => !(one instanceof HTMLInputElement && one.type === "radio" && groups.has(one.name)))
          .map((one) => `${nameOf(one)} is not reached`);
      },
    };
  }, within);
}

/** Tab until the focus leaves: what was wrong on the way. @param within what it is to walk through and not to leave */
async function walk(page: Page, within: string): Promise<string[]> {
  await begin(page, within);
  let end: string | undefined;
  for (let pressed = 0; end === undefined && pressed < MOST; pressed += AT_ONCE) {
    for (let n = 0; n < AT_ONCE; n++) await page.keyboard.press("Tab");
    end = await page.evaluate(() => globalThis.walkByKeys!.end());
  }
  const [faults, missed] = await page.evaluate(() => [globalThis.walkByKeys!.faults(), globalThis.walkByKeys!.missed()] as const);
  const ended = end === "left" ? [] : [end ?? `no end after ${MOST} controls`];
  return [...faults, ...ended, ...missed].slice(0, 20);
}

/** From the start of the page by the first link over its frame, then through everything on it. */
export async function walkPage(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    // The next Tab begins at the start, wherever somebody was before.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
  });
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "跳到主要内容" })).toBeFocused();
  await page.keyboard.press("Enter");
  return walk(page, "#main .view");
}

/** A key on the first row, or on what makes a new one, opens something; all of it is walked; Esc comes back to where the key was pressed. */
export async function walkOver(page: Page): Promise<string[]> {
  const view = page.locator(".view:visible");
  const row = view.locator(".rows tr.pressable").first();
  const adding = view
    .locator("button.btn-primary")
    .filter({ hasText: /^(新建|新增|添加)/ })
    .first();
  const from: Locator = (await row.count()) > 0 ? row : adding;
  if ((await from.count()) === 0 || !(await from.isEnabled())) return [];
  const before = page.url();
  await from.focus();
  await page.keyboard.press("Enter");
  const over = page.getByRole("dialog").last();
  await expect(async () => expect((await over.isVisible()) || page.url() !== before).toBe(true)).toPass();
  // It may lead to another page, or to a form that is one.
  const opened = await over.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  if (!opened) return [];
  await expect(over.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
  expect(await over.evaluate((element) => element.contains(document.activeElement)), "the focus went in").toBe(true);
  // From its beginning: a form has the focus in its first field.
  await over.evaluate((element: HTMLElement) => element.focus());
  const faults = await walk(page, "[role=dialog]");
  // A sign that has the focus shows its words, and takes the first Esc for them.
  await over.evaluate((element: HTMLElement) => element.focus());
  await page.keyboard.press("Escape");
  await expect(over).toBeHidden();
  const back = await expect
    .poll(() => from.evaluate((element) => element === document.activeElement), { timeout: 3_000 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    );
  const at = await page.evaluate(() => `${document.activeElement?.localName}.${document.activeElement?.className}`);
  return back ? faults : [...faults, `after Esc the focus is at ${at}`];
}
