import { contrast } from "@zhangfang/contract/colour.ts";
import { house } from "@zhangfang/web/look/tokens.ts";

/** What may lie behind a logo, as shell.css has it; none is the sidebar itself. */
export type Plate = "" | "plate-light" | "plate-dark";
export const PLATES = { "plate-light": "#FFFFFF", "plate-dark": house.light.ink } as const;
/** What WCAG asks of a picture that says something. */
const LEAST = 3;
/** So much of a logo has to stand out; the rest are its fine points. */
const ENOUGH = 0.75;
/** A square of so many points is read. */
export const SIDE = 16;

const hex = (pixels: Uint8ClampedArray, at: number): string =>
  `#${[0, 1, 2].map((part) => (pixels[at + part] ?? 0).toString(16).padStart(2, "0")).join("")}`;
/** The part of a logo's points that stand out from a ground; what is half clear is none of it. */
export function standsOut(pixels: Uint8ClampedArray, ground: string): number {
  let [seen, all] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 128) continue;
    all++;
    if (contrast(hex(pixels, at), ground) >= LEAST) seen++;
  }
  return all === 0 ? 1 : seen / all;
}
/** The plate on which a logo is best seen, where it is not seen on the sidebar. One that fills its picture brings its own ground. */
export function plateOf(pixels: Uint8ClampedArray, theme: "light" | "dark"): Plate {
  const corners = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1];
  if (corners.every((corner) => (pixels[corner * 4 + 3] ?? 0) >= 128)) return "";
  const bare = standsOut(pixels, house[theme].sider);
  if (bare >= ENOUGH) return "";
  const [light, dark] = [standsOut(pixels, PLATES["plate-light"]), standsOut(pixels, PLATES["plate-dark"])];
  if (bare >= Math.max(light, dark)) return "";
  return light > dark ? "plate-light" : "plate-dark";
}
/** A logo's points; nothing where it is of another origin and keeps them. */
export function pixelsOf(logo: HTMLImageElement): Uint8ClampedArray | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  try {
    context?.drawImage(logo, 0, 0, SIDE, SIDE);
    return context?.getImageData(0, 0, SIDE, SIDE).data;
  } catch {
    return undefined;
  }
}
