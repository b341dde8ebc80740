type Rgb = readonly [r: number, g: number, b: number];
const parsed = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const written = (rgb: readonly number[]): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0").toUpperCase()).join("")}`;

/** `part` of a colour over another one. @example mix("#FFFFFF", "#2B57C4", 0.1) // "#EAEEF9" */
export function mix(under: string, over: string, part: number): string {
  const [a, b] = [parsed(under), parsed(over)];
  return written(a.map((value, at) => value + ((b[at] ?? 0) - value) * part));
}
function luminance(hex: string): number {
  const [r, g, b] = parsed(hex).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
/** WCAG 2 contrast of two colours written #RRGGBB, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [x, y] = [luminance(one), luminance(other)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** What a brand's colour stands on and what stands on it, as kit/web/look/tokens.ts has them (colour.test.ts holds them together). */
export const ACCENT_GROUNDS = {
  light: { container: "#FFFFFF", grounds: ["#FFFFFF", "#F6F5F2"], solidText: "#FFFFFF", text: "#1B1F27", deeper: "#000000" },
  dark: { container: "#1B1D21", grounds: ["#1B1D21", "#121316", "#24272C"], solidText: "#15171B", text: "#E8E6E1", deeper: "#FFFFFF" },
} as const;
export type AccentTheme = keyof typeof ACCENT_GROUNDS;

/** The shades that a brand's colour takes the place of the house's blue with, by the names of kit/web/look/tokens.ts. */
export function accentShades(colour: string, theme: AccentTheme) {
  const { container, deeper } = ACCENT_GROUNDS[theme];
  const [plate, plateHover] = [mix(container, colour, 0.1), mix(container, colour, 0.16)];
  const strong = mix(colour, deeper, 0.25);
  return {
    colorPrimary: colour,
    colorPrimaryHover: mix(colour, deeper, 0.12),
    colorPrimaryActive: strong,
    colorPrimaryBg: plate,
    colorPrimaryBgHover: plateHover,
    colorPrimaryBorder: mix(container, colour, 0.4),
    colorLink: colour,
    colorLinkHover: strong,
    colorLinkActive: strong,
    controlItemBgActive: plate,
    controlItemBgActiveHover: plateHover,
  };
}

/** What WCAG asks of text. */
export const LEAST_CONTRAST = 4.5;
/** The least contrast of everything that a brand's colour is text on or ground of; below LEAST_CONTRAST it may not be used. */
export function accentContrast(colour: string, theme: AccentTheme): number {
  const { grounds, solidText, text } = ACCENT_GROUNDS[theme];
  const shades = accentShades(colour, theme);
  return Math.min(
    ...[...grounds, shades.colorPrimaryBg, shades.colorPrimaryBgHover].map((ground) => contrast(colour, ground)),
    ...grounds.map((ground) => contrast(shades.colorLinkHover, ground)),
    contrast(solidText, colour),
    contrast(solidText, shades.colorPrimaryHover),
    contrast(text, shades.colorPrimaryBgHover),
  );
}
