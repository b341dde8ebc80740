import { ACCENT_GROUNDS, accentContrast, accentShades, LEAST_CONTRAST } from "@zhangfang/contract/colour.ts";
import { theme } from "antd";
import { describe, expect, test } from "vitest";
import { themeOf } from "./theme.ts";
import { CARD_TONES, CHART_COLOURS, COMPARE_COLOUR, dark, house, light } from "./tokens.ts";

type Colour = readonly [r: number, g: number, b: number, a: number];

function parsed(colour: string): Colour {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (hex) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16), 1];
  if (/^#...$/.test(colour)) return parsed(`#${colour.slice(1).replace(/./g, "$&$&")}`);
  const [r = 0, g = 0, b = 0, a = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [r, g, b, a];
}
const over = (top: Colour, under: Colour): Colour =>
  [0, 1, 2].map((at) => top[at]! * top[3] + under[at]! * (1 - top[3])).concat(1) as unknown as Colour;
function luminance([r, g, b]: Colour): number {
  const linear = (value: number): number => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
/** WCAG contrast of a colour on another one, which lies on a third. */
function contrast(text: string, on: string, under: string): number {
  const ground = over(parsed(on), parsed(under));
  const [x, y] = [luminance(over(parsed(text), ground)), luminance(ground)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("the %s theme", (name, own) => {
  const { token, algorithm } = themeOf(name);
  const tokens = theme.getDesignToken({ token, algorithm }) as unknown as Record<string, string>;
  const texts = [
    "colorText",
    "colorTextSecondary",
    "colorTextTertiary",
    "colorTextDescription",
    "colorTextPlaceholder",
    "colorPrimary",
    "colorLink",
    "colorLinkHover",
    "colorSuccess",
    "colorWarning",
    "colorError",
    "colorErrorHover",
  ];
  const pairs: [string, string][] = [
    ...texts.flatMap((text) => ["colorBgContainer", "colorBgLayout", "colorBgElevated"].map((ground): [string, string] => [text, ground])),
    ...["Success", "Warning", "Error", "Info", "Primary"].map((meaning): [string, string] => [`color${meaning}`, `color${meaning}Bg`]),
    ...["colorPrimary", "colorPrimaryHover", "colorError", "colorErrorHover", "colorSuccess", "colorBgSpotlight"].map(
      (ground): [string, string] => ["colorTextLightSolid", ground],
    ),
    ["colorText", "controlItemBgActive"],
    ["colorPrimary", "controlItemBgActive"],
    ["colorTextDescription", "colorFillAlter"],
    ["colorTextSecondary", "controlItemBgHover"],
  ];

  test("antd takes every colour as it is given", () => {
    for (const [colour, value] of Object.entries(own)) expect.soft(String(tokens[colour]).toLowerCase(), colour).toBe(value.toLowerCase());
  });

  test("every text is read at 4.5:1 on what it stands on", () => {
    for (const [text, ground] of pairs)
      expect.soft(contrast(tokens[text]!, tokens[ground]!, tokens.colorBgContainer!), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test("the house's own grounds carry their text at 4.5:1", () => {
    const grounds: [string, string][] = [
      [own.colorText, house[name].sider],
      [own.colorTextSecondary, house[name].sider],
      [own.colorText, house[name].siderPlate],
      [house[name].inkText, house[name].ink],
      [house[name].inkText, house[name].inkHover],
      [own.colorTextSecondary, house[name].plainBg],
      [own.colorText, house[name].field],
      [own.colorTextPlaceholder, house[name].field],
      [own.colorTextTertiary, house[name].field],
    ];
    for (const [text, ground] of grounds) expect.soft(contrast(text, ground, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test("every chart colour stands out from its card at 3:1", () => {
    for (const colour of [...CHART_COLOURS, COMPARE_COLOUR])
      expect.soft(contrast(colour, house[name].chartCard, house[name].chartCard), colour).toBeGreaterThanOrEqual(3);
  });

  test("the focus ring stands out from every ground at 3:1", () => {
    for (const ground of [own.colorBgContainer, own.colorBgLayout, own.colorBgElevated, house[name].sider])
      expect.soft(contrast(own.colorPrimary, ground, ground), ground).toBeGreaterThanOrEqual(3);
  });
});

test("the grounds that a brand's colour is checked on are the house's, and its own blue would pass", () => {
  for (const [theme, own] of [
    ["light", light],
    ["dark", dark],
  ] as const) {
    const { container, grounds, solidText, text } = ACCENT_GROUNDS[theme];
    expect([container, solidText, text]).toEqual([own.colorBgContainer, own.colorTextLightSolid, own.colorText]);
    expect([...grounds].toSorted()).toEqual([...new Set([own.colorBgContainer, own.colorBgLayout, own.colorBgElevated])].toSorted());
    expect(accentContrast(own.colorPrimary, theme)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    expect(Object.keys(accentShades(own.colorPrimary, theme)).every((name) => name in own)).toBe(true);
  }
});

test("charts have ten colours, cards twelve tones: COLOR010 to COLOR100, and 081 and 082 (spec 9)", () => {
  expect(new Set(CHART_COLOURS).size).toBe(10);
  const tones = ["010", "020", "030", "040", "050", "060", "070", "080", "081", "082", "090", "100"];
  expect(Object.keys(CARD_TONES)).toEqual(tones.map((tone) => `COLOR${tone}`));
});
test("text on a card face is read, and the shades carry white", () => {
  for (const [tone, { face, text, shade }] of Object.entries(CARD_TONES)) {
    expect.soft(contrast(text, face, face), tone).toBeGreaterThanOrEqual(4.5);
    expect.soft(contrast("#FFFFFF", shade, shade), `${tone} shade`).toBeGreaterThanOrEqual(4.5);
  }
});
