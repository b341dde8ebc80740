import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { HashRouter } from "react-router";
import { answers } from "./api/cache.ts";

/**
 * Draws something as the shell does, with its router and its cache, until `end` is called.
 * @example const page = draw(<StoreList />); await page.until(() => page.box.querySelector("tbody tr")); page.end();
 */
export function draw(content: ReactNode) {
  const box = document.createElement("div");
  box.id = "root";
  document.body.append(box);
  const root = createRoot(box);
  flushSync(() =>
    root.render(
      <QueryClientProvider client={answers()}>
        <HashRouter>{content}</HashRouter>
      </QueryClientProvider>,
    ),
  );
  return {
    box,
    /** Waits until something is there. */
    async until<T>(look: () => T | null | undefined | false): Promise<T> {
      for (let tries = 0; tries < 500; tries++) {
        const found = look();
        if (found !== null && found !== undefined && found !== false) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`it never came: ${document.body.textContent}`);
    },
    end(): void {
      root.unmount();
      box.remove();
    },
  };
}

/** Types into a field as React hears it. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
