import { theme, type ThemeConfig } from "antd";
import { dark, house, light } from "./tokens.ts";

export type ThemeName = "light" | "dark";

/** The class under which antd's custom properties stand in the extracted CSS. */
export const CSS_VAR_KEY = "zf";

/**
 * antd in the colours of the house. The CSS is extracted at build time (`vite-theme.ts`), so nothing is styled at run time.
 * antd's dark algorithm rewrites seed colours; ours are put back after it.
 */
export function themeOf(name: ThemeName): ThemeConfig {
  const colours = name === "dark" ? dark : light;
  const own = house[name];
  return {
    zeroRuntime: true,
    hashed: false,
    cssVar: { key: CSS_VAR_KEY },
    algorithm:
      name === "dark"
        ? [theme.darkAlgorithm, (_seed, map) => ({ ...(map ?? theme.darkAlgorithm(theme.defaultSeed)), ...dark })]
        : undefined,
    token: {
      ...colours,
      borderRadius: 6,
      borderRadiusSM: 4,
      borderRadiusLG: 8,
      fontSize: 14,
      fontFamily: "var(--font)",
      wireframe: false,
      controlOutlineWidth: 0,
      boxShadow: own.shadow,
      boxShadowSecondary: own.shadow,
    },
    components: {
      Select: { selectorBg: own.field, optionSelectedBg: colours.controlItemBgActive, optionActiveBg: colours.controlItemBgHover },
      DatePicker: { cellActiveWithRangeBg: colours.controlItemBgActive },
      Menu: { subMenuItemSelectedColor: colours.colorText },
      Tooltip: { colorTextLightSolid: colours.colorTextLightSolid },
    },
  };
}
