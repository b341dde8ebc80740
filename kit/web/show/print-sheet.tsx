import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";

/** A4 for statements, 58 and 80 mm rolls for receipts. */
export type Paper = "a4" | "58" | "80";

/**
 * Prints one thing on its own paper, and nothing of the page around it.
 * @example printSheet(<Receipt order={order} />, "58");
 */
export function printSheet(content: ReactNode, paper: Paper = "a4"): void {
  const sheet = document.createElement("div");
  sheet.className = `print-sheet print-${paper}`;
  document.body.append(sheet);
  const root = createRoot(sheet);
  flushSync(() => root.render(content));
  addEventListener(
    "afterprint",
    () => {
      root.unmount();
      sheet.remove();
    },
    { once: true },
  );
  window.print();
}
