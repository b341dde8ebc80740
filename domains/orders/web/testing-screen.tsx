import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { answers } from "@zhangfang/web/api/cache.ts";
import { endSession, startSession } from "@zhangfang/web/api/session.ts";
import { setUser } from "@zhangfang/web/api/user.ts";

/** Draws a part for somebody of a merchant who holds the given items, and takes it away after the test. */
export function draw(part: ReactNode, paths: readonly string[] = []): { readonly text: () => string; close(): void } {
  startSession("token");
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "MCH", entityName: "", paths: new Set(paths) });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <QueryClientProvider client={answers()}>
      <MemoryRouter>{part}</MemoryRouter>
    </QueryClientProvider>,
  );
  return {
    text: () => document.body.textContent ?? "",
    close() {
      root.unmount();
      document.body.replaceChildren();
      sessionStorage.clear();
      endSession();
    },
  };
}

/** Types into a field as a browser does. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")?.set;
  setter?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The button that is called so. */
export function button(name: string | RegExp): HTMLButtonElement | undefined {
  return [...document.querySelectorAll("button")].find((one) =>
    typeof name === "string" ? one.textContent === name : name.test(one.textContent ?? ""),
  );
}
