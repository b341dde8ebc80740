import { readFile } from "node:fs/promises";
import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { extractStyle } from "@ant-design/static-style-extract";
import { ConfigProvider } from "antd";
import { createElement } from "react";
import type { Plugin } from "vite";
import { CSS_VAR_KEY, themeOf, type ThemeName } from "../look/theme.ts";
import { accentShades } from "@zhangfang/contract/colour.ts";
import { dark, light, tokenCss } from "../look/tokens.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Calendars are a chunk of their own, and what only they look like comes with them. */
const CALENDARS = ["DatePicker"];
const BRINGS_CALENDARS = /import\s+\{[^}]*\bDatePicker\b[^}]*\}\s+from\s+"antd"/;

/**
 * `virtual:tokens.css`, the house's custom properties, and `virtual:antd.css`, antd's styles with our tokens in both
 * themes: light as it is, dark as the differences only, under `html[data-theme=dark]`. A build takes the components
 * that web code imports, calendars apart from the others; the dev server takes all.
 */
export function themePlugin(): Plugin {
  let components: string[] | undefined;
  return {
    name: "zhangfang-theme",
    enforce: "pre",
    async configResolved(config) {
      if (config.command === "build") components = await usedComponents();
    },
    resolveId(source, importer) {
      if (["virtual:tokens.css", "virtual:antd.css", "virtual:calendars.css"].includes(source)) return `\0${source}`;
      // antd would write <style> elements, which the content security policy refuses. What cssinjs writes is extracted
      // already; the few rules of other parts go through constructed style sheets.
      if (source.endsWith("/Dom/dynamicCSS") || source.endsWith("./dynamicCSS")) {
        return fileURLToPath(new URL(importer?.includes("cssinjs") ? "../styles/no-css.ts" : "../styles/dynamic-css.ts", import.meta.url));
      }
      return null;
    },
    load(id) {
      if (id === "\0virtual:tokens.css") return tokenCss();
      const others = components?.filter((name) => !CALENDARS.includes(name));
      if (id === "\0virtual:antd.css") return antdCss(others);
      if (id === "\0virtual:calendars.css") return components ? beyond(antdCss(others), antdCss(components)) : "";
      return null;
    },
    transform: (code, id) => (id.endsWith(".tsx") && BRINGS_CALENDARS.test(code) ? `import "virtual:calendars.css";${code}` : null),
  };
}

/** The antd components that web code imports; each brings the styles of what it is made of. */
async function usedComponents(): Promise<string[]> {
  const found = new Set<string>();
  for await (const file of glob(["kit/web/**/*.tsx", "domains/*/web/**/*.tsx", "apps/web/src/**/*.tsx"], { cwd: ROOT })) {
    const source = await readFile(ROOT + file, "utf8");
    for (const [, names = ""] of source.matchAll(/import\s+\{([^}]*)\}\s+from\s+"antd"/g)) {
      for (const name of names.split(",")) if (/^[A-Z]/.test(name.trim())) found.add(name.trim().split(/\s/)[0] ?? "");
    }
  }
  found.delete("ConfigProvider");
  return [...found].toSorted();
}

/** antd's CSS for both themes. */
export function antdCss(components: string[] | undefined): string {
  const extracted = (name: ThemeName): string =>
    extractStyle({
      includes: components,
      customTheme: (node: React.JSX.Element) => createElement(ConfigProvider, { theme: { ...themeOf(name), zeroRuntime: false } }, node),
    } as Parameters<typeof extractStyle>[0]);
  const first = following(extracted("light"), "light");
  return `${first}\n${differences(first, following(extracted("dark"), "dark"))}`;
}

const ACCENT = Object.keys(accentShades("#2B57C4", "light")) as (keyof ReturnType<typeof accentShades>)[];
/** The rules of the second sheet that the first does not have. */
export function beyond(first: string, second: string): string {
  const known = new Set(rules(first));
  return [...rules(second)].filter((rule) => !known.has(rule)).join("\n");
}
/** The outermost rules of a sheet, one after the other. */
function* rules(css: string): Generator<string> {
  let [depth, begun] = [0, 0];
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    if (depth > 0) continue;
    yield css.slice(begun, index + 1).trim();
    begun = index + 1;
  }
}

/** antd's variables that have the house's blue follow our own property, which a brand's colour takes the place of; what informs keeps it. */
export function following(css: string, name: ThemeName): string {
  const own = name === "dark" ? dark : light;
  const byValue = new Map(ACCENT.toReversed().map((token) => [own[token].toLowerCase(), token]));
  return css.replaceAll(/(--ant-(?!color-info)[\w-]+):(#[0-9a-f]{6})(?=[;}])/gi, (all, variable: string, value: string) => {
    const token = byValue.get(value.toLowerCase());
    return token ? `${variable}:var(--${token.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})` : all;
  });
}

/** The custom properties of the second sheet that the first has otherwise. */
export function differences(first: string, second: string): string {
  const known = new Map<string, Map<string, string>>();
  for (const [selector, values] of variables(first)) known.set(selector, values);
  let css = "";
  for (const [selector, values] of variables(second)) {
    const old = known.get(selector);
    const changed = [...values].filter(([name, value]) => old?.get(name) !== value);
    const body = changed.map(([name, value]) => `${name}:${value}`).join(";");
    if (changed.length > 0) css += `@media screen{html[data-theme=dark] ${selector}{${body}}}\n`;
  }
  return css;
}
function* variables(css: string): Generator<[string, Map<string, string>]> {
  for (const [, selector = "", body = ""] of css.matchAll(new RegExp(`(\\.${CSS_VAR_KEY}[^{}]*)\\{([^}]*)\\}`, "g"))) {
    yield [selector, new Map([...body.matchAll(/(--[\w-]+):([^;]*)/g)].map(([, name = "", value = ""]) => [name, value]))];
  }
}
