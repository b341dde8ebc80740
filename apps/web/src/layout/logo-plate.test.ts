import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast } from "@zhangfang/contract/colour.ts";
import { house } from "@zhangfang/web/look/tokens.ts";
import { plateOf, PLATES, SIDE, standsOut } from "./logo-plate.ts";

/** A logo as its points: nothing at the corners, and inside as many of each colour as it is told. */
function logo(...colours: readonly string[]): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let y = 2; y < SIDE - 2; y++)
    for (let x = 2; x < SIDE - 2; x++) {
      const colour = colours[(x + y) % colours.length]!;
      pixels.set([1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).concat(255), (y * SIDE + x) * 4);
    }
  return pixels;
}
const filled = (colour: string): Uint8ClampedArray =>
  new Uint8ClampedArray(SIDE * SIDE * 4).map((_none, at) =>
    at % 4 === 3 ? 255 : parseInt(colour.slice(1 + (at % 4) * 2, 3 + (at % 4) * 2), 16),
  );

test.each([
  ["white", logo("#FFFFFF")],
  ["black", logo("#000000")],
  ["ink", logo("#1B1F27")],
  ["the sidebar's own paper", logo("#EFEDE8")],
  ["the dark sidebar's own", logo("#17191D")],
  ["pale yellow", logo("#FFE88A")],
  ["silver", logo("#BEBEBE")],
  ["middle grey", logo("#808080")],
  ["WeChat's green", logo("#07C160")],
  ["Alipay's blue", logo("#1677FF")],
  ["dark red", logo("#7A0C12")],
  ["white with a little red", logo("#FFFFFF", "#FFFFFF", "#FFFFFF", "#BC3320")],
])("a logo in %s stands out at 3:1 in both themes, on the sidebar or on its plate", (_name, pixels) => {
  for (const theme of ["light", "dark"] as const) {
    const plate = plateOf(pixels, theme);
    const ground = plate === "" ? house[theme].sider : PLATES[plate];
    expect([theme, standsOut(pixels, ground)]).toEqual([theme, expect.toSatisfy((part: number) => part >= 0.75)]);
  }
});
test("a logo that is seen gets none, nor one with a ground of its own or without a point", () => {
  expect([plateOf(logo("#1B1F27"), "light"), plateOf(logo("#FFFFFF"), "dark"), plateOf(filled("#FFFFFF"), "light")]).toEqual(["", "", ""]);
  expect(plateOf(new Uint8ClampedArray(SIDE * SIDE * 4), "dark")).toBe("");
  expect([plateOf(logo("#FFFFFF"), "light"), plateOf(logo("#000000"), "dark")]).toEqual(["plate-dark", "plate-light"]);
});
test("the plates are those that are drawn, and far from each other", () => {
  const css = readFileSync(new URL("shell.css", import.meta.url), "utf8");
  const drawn = (name: string) => new RegExp(`\\.${name} \\{\\s+background: ([^;]+);`).exec(css)?.[1];
  expect([drawn("plate-light"), drawn("plate-dark")?.toUpperCase()]).toEqual(["#fff", PLATES["plate-dark"]]);
  expect(contrast(PLATES["plate-light"], PLATES["plate-dark"])).toBeGreaterThan(12);
});
