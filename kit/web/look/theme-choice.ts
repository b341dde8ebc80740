import { useSyncExternalStore } from "react";
import { lasting } from "../window/storage.ts";

export type ThemeChoice = "light" | "dark" | "system";
const KEY = "zhangfang_theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** What the person chose. `public/theme.js` reads the same key before the first paint. */
export function themeChoice(): ThemeChoice {
  const chosen = lasting.getItem(KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}
/** The theme that is shown. */
export function themeShown(): "light" | "dark" {
  const choice = themeChoice();
  return choice === "system" ? (systemDark.matches ? "dark" : "light") : choice;
}
function apply(): void {
  document.documentElement.dataset.theme = themeShown();
  for (const listener of listeners) listener();
}
/** Chooses light, dark, or whatever the system has. */
export function chooseTheme(choice: ThemeChoice): void {
  lasting.setItem(KEY, choice);
  apply();
}
systemDark.addEventListener("change", apply);

/** The theme that is shown, in a component. */
export function useThemeShown(): "light" | "dark" {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, themeShown);
}
