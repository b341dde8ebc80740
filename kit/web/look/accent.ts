import { accentShades, type AccentTheme } from "@zhangfang/contract/colour.ts";
import { removeCSS, updateCSS } from "../styles/dynamic-css.ts";
import { declared } from "./tokens.ts";

const KEY = "accent";
/**
 * Puts a brand's colours in the place of the house's blue, where links, the focus and what is chosen have it; charts and
 * statuses keep theirs. The server has checked their contrast. Null in both takes them away again.
 * @example showAccent({ light: brand.colourLight, dark: brand.colourDark })
 */
export function showAccent(colours: Readonly<Record<AccentTheme, string | null | undefined>>): void {
  const rule = (theme: AccentTheme): string => {
    const colour = colours[theme];
    return colour && /^#[0-9A-F]{6}$/.test(colour)
      ? `@media screen{html[data-theme=${theme}]{${declared(accentShades(colour, theme))}}}`
      : "";
  };
  const css = rule("light") + rule("dark");
  if (css === "") removeCSS(KEY);
  else updateCSS(css, KEY);
}
