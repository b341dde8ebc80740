/** The colours of the house, named as antd names them. theme.test.ts proves every text pair at 4.5:1 in both themes. */
export const light = {
  colorPrimary: "#2B57C4",
  colorPrimaryHover: "#2148A8",
  colorPrimaryActive: "#1A3A8A",
  colorPrimaryBg: "#EAF0FC",
  colorPrimaryBgHover: "#DCE6FA",
  colorPrimaryBorder: "#A9BFEF",
  colorInfo: "#2B57C4",
  colorInfoBg: "#EAF0FC",
  colorInfoBorder: "#A9BFEF",
  colorLink: "#2B57C4",
  colorLinkHover: "#1A3A8A",
  colorLinkActive: "#1A3A8A",
  colorSuccess: "#1F7A4D",
  colorSuccessBg: "#E8F4ED",
  colorSuccessBorder: "#A7D2B9",
  colorWarning: "#8F5300",
  colorWarningBg: "#FBF2E0",
  colorWarningBorder: "#E3C58D",
  colorError: "#BC3320",
  colorErrorHover: "#9C2716",
  colorErrorActive: "#861F10",
  colorErrorBg: "#FCEDE9",
  colorErrorBorder: "#ECB8AD",
  colorText: "#1B1F27",
  colorTextSecondary: "#4A505C",
  colorTextTertiary: "#646B78",
  colorTextDescription: "#646B78",
  colorTextQuaternary: "#8A909B",
  colorTextPlaceholder: "#696F7C",
  colorTextDisabled: "#9AA0AA",
  colorIcon: "#646B78",
  colorIconHover: "#1B1F27",
  colorTextLightSolid: "#FFFFFF",
  colorBgSpotlight: "#1B1F27",
  colorBgLayout: "#F6F5F2",
  colorBgContainer: "#FFFFFF",
  colorBgElevated: "#FFFFFF",
  colorBorder: "#CFCBC3",
  colorBorderSecondary: "#E7E4DE",
  colorSplit: "#ECE9E3",
  colorFillAlter: "#FAF9F7",
  controlItemBgActive: "#EAF0FC",
  controlItemBgActiveHover: "#DCE6FA",
  controlItemBgHover: "#F4F2EE",
} as const;

export type Tokens = { readonly [Name in keyof typeof light]: string };

export const dark: Tokens = {
  colorPrimary: "#8FAAF5",
  colorPrimaryHover: "#AFC3FA",
  colorPrimaryActive: "#7390E6",
  colorPrimaryBg: "#222B45",
  colorPrimaryBgHover: "#2A3556",
  colorPrimaryBorder: "#3E5189",
  colorInfo: "#8FAAF5",
  colorInfoBg: "#222B45",
  colorInfoBorder: "#3E5189",
  colorLink: "#8FAAF5",
  colorLinkHover: "#AFC3FA",
  colorLinkActive: "#AFC3FA",
  colorSuccess: "#5FBF8B",
  colorSuccessBg: "#18301F",
  colorSuccessBorder: "#2F5F44",
  colorWarning: "#E0A94A",
  colorWarningBg: "#35290F",
  colorWarningBorder: "#6B5220",
  colorError: "#F0806C",
  colorErrorHover: "#F59A89",
  colorErrorActive: "#E2654F",
  colorErrorBg: "#3B1D17",
  colorErrorBorder: "#7A382B",
  colorText: "#E8E6E1",
  colorTextSecondary: "#BDC0C7",
  colorTextTertiary: "#989DA7",
  colorTextDescription: "#989DA7",
  colorTextQuaternary: "#70757F",
  colorTextPlaceholder: "#8B909B",
  colorTextDisabled: "#666B75",
  colorIcon: "#989DA7",
  colorIconHover: "#E8E6E1",
  colorTextLightSolid: "#15171B",
  colorBgSpotlight: "#E8E6E1",
  colorBgLayout: "#121316",
  colorBgContainer: "#1B1D21",
  colorBgElevated: "#24272C",
  colorBorder: "#3B4048",
  colorBorderSecondary: "#2B2F35",
  colorSplit: "#2B2F35",
  colorFillAlter: "#202328",
  controlItemBgActive: "#222B45",
  controlItemBgActiveHover: "#2A3556",
  controlItemBgHover: "#24272C",
};

/** Colours that antd has no name for: the sidebar's paper, the plate of what is chosen in it, the ink of the main button. */
export const house = {
  light: {
    sider: "#EFEDE8",
    siderPlate: "#FFFFFF",
    ink: "#1B1F27",
    inkHover: "#343A46",
    inkText: "#FFFFFF",
    mask: "rgb(27 31 39 / 40%)",
    shadow: "0 6px 24px rgb(27 31 39 / 14%), 0 1px 4px rgb(27 31 39 / 10%)",
    field: "#FFFFFF",
    plainBg: "#F1EFEB",
    chartCard: "#FFFFFF",
  },
  dark: {
    sider: "#17191D",
    siderPlate: "#2B2F35",
    ink: "#ECEAE4",
    inkHover: "#FFFFFF",
    inkText: "#15171B",
    mask: "rgb(0 0 0 / 60%)",
    shadow: "0 8px 28px rgb(0 0 0 / 55%), 0 0 0 1px #3B4048",
    field: "#15171B",
    plainBg: "#2B2F35",
    chartCard: "#1B1D21",
  },
} as const;

/** The ten colours of charts, the same in both themes: 3:1 on either card, told apart without colour vision (ux.md 4.6). */
export const CHART_COLOURS = [
  "#5579E3",
  "#08896B",
  "#C2861F",
  "#C7321A",
  "#865899",
  "#16A1B6",
  "#EA678D",
  "#7B9C5E",
  "#646A76",
  "#8A614E",
] as const;
/** The period that another one is compared with: grey, dashed 4-4. */
export const COMPARE_COLOUR = "#778093";

/** The twelve tones of WeChat card faces, the colour that text takes on them, and a shade for our own small text. Never recoloured: the customer's phone shows them. */
export const CARD_TONES = {
  COLOR010: { face: "#63B359", text: "#1B1F27", shade: "#37872D" },
  COLOR020: { face: "#2C9F67", text: "#1B1F27", shade: "#008851" },
  COLOR030: { face: "#509FC9", text: "#1B1F27", shade: "#2B7DA6" },
  COLOR040: { face: "#5885CF", text: "#000000", shade: "#4A76BE" },
  COLOR050: { face: "#9062C0", text: "#000000", shade: "#8E60BE" },
  COLOR060: { face: "#D09A45", text: "#1B1F27", shade: "#A06C01" },
  COLOR070: { face: "#E4B138", text: "#1B1F27", shade: "#9D6D00" },
  COLOR080: { face: "#EE903C", text: "#1B1F27", shade: "#B85E00" },
  COLOR081: { face: "#F08500", text: "#1B1F27", shade: "#BE5700" },
  COLOR082: { face: "#A9D92D", text: "#1B1F27", shade: "#598200" },
  COLOR090: { face: "#DD6549", text: "#1B1F27", shade: "#C65135" },
  COLOR100: { face: "#CC463D", text: "#FFFFFF", shade: "#CC463D" },
} as const;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** Values by their names in TypeScript, as declarations of custom properties. */
export const declared = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(";");

/** Both themes as custom properties (`--color-text`, `--sider`, …); `html[data-theme=dark]` is the dark one, and paper is always light. */
export function tokenCss(): string {
  const changed = Object.fromEntries(Object.entries(dark).filter(([name, value]) => light[name as keyof Tokens] !== value));
  return `:root{color-scheme:light;${declared(light)};${declared(house.light)}}\n@media screen{html[data-theme=dark]{color-scheme:dark;${declared(changed)};${declared(house.dark)}}}\n`;
}
