import { test as base, type Page } from "@playwright/test";
import { BASE_URL, tokenOf } from "./world.ts";

export { expect } from "@playwright/test";

interface Given {
  /** Who is signed in when the page opens; nobody where it is empty. */
  readonly login: string;
  /** Fails the journey that leaves a fault in the browser's console: an exception, a refused script, a key that stands twice. */
  readonly faults: string[];
}

const tokens = new Map<string, Promise<string>>();

/** The token of an account, asked for once: signing in has journeys of its own. */
export function sharedToken(login: string): Promise<string> {
  const known = tokens.get(login) ?? tokenOf(login);
  tokens.set(login, known);
  return known;
}

/** What a browser holds that is signed in. */
export const signedIn = (token: string) => ({
  cookies: [],
  origins: [{ origin: BASE_URL, localStorage: [{ name: "zhangfang_token", value: token }] }],
});

/**
 * Lets a page's calls wait a fiftieth of their time, while it is on: fifty seconds are one. It is on for the call that never comes
 * alone, because a busy machine takes longer than a second for any other.
 * @returns what turns it on and off
 */
export async function shortWaits(page: Page): Promise<(on: boolean) => Promise<void>> {
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (given_ms) => timeout(given_ms / (document.documentElement.dataset["waits"] === "short" ? 50 : 1));
  });
  return (on) => page.locator("html").evaluate((html, waits) => void (html.dataset["waits"] = waits), on ? "short" : "");
}

/** A journey in a browser of its own. @example test.use({ login: "mch01" }) */
export const test = base.extend<Given>({
  login: ["", { option: true }],
  storageState: async ({ login }, give) => give(login === "" ? undefined : signedIn(await sharedToken(login))),
  faults: [
    async ({ context }, give) => {
      const faults: string[] = [];
      const listen = (page: Page): void => {
        page.on("pageerror", (fault) => faults.push(String(fault)));
        // The browser's own line about an answer with an error status is not a fault of the page.
        page.on(
          "console",
          (said) => said.type() === "error" && !said.text().startsWith("Failed to load resource") && faults.push(said.text()),
        );
      };
      for (const page of context.pages()) listen(page);
      context.on("page", listen);
      await give(faults);
      if (faults.length > 0) throw new Error(`the browser's console says:\n${faults.join("\n")}`);
    },
    { auto: true },
  ],
});
