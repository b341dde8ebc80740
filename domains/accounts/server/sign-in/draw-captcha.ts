import { randomInt } from "node:crypto";

/** Strokes of each character on a 4 × 6 grid: no text stands in the picture, so that a program has to see it. */
const GLYPHS: Readonly<Record<string, string>> = {
  "2": "0,1 1,0 3,0 4,1 4,2 0,6 4,6",
  "3": "0,0 4,0 2,2 4,4 3,6 0,6",
  "4": "3,6 3,0 0,4 4,4",
  "5": "4,0 0,0 0,3 3,3 4,4 4,5 3,6 0,6",
  "6": "4,0 1,1 0,4 1,6 3,6 4,4 3,3 0,4",
  "7": "0,0 4,0 1,6",
  "9": "4,2 1,3 0,2 1,0 3,0 4,2 3,6 1,6",
  A: "0,6 2,0 4,6 3,4 1,4",
  C: "4,1 3,0 1,0 0,2 0,4 1,6 3,6 4,5",
  E: "4,0 0,0 0,6 4,6 0,6 0,3 3,3",
  F: "4,0 0,0 0,6 0,3 3,3",
  H: "0,0 0,6 0,3 4,3 4,0 4,6",
  J: "1,0 4,0 3,0 3,5 2,6 0,5",
  K: "0,0 0,6 0,3 4,0 0,3 4,6",
  L: "0,0 0,6 4,6",
  M: "0,6 0,0 2,3 4,0 4,6",
  N: "0,6 0,0 4,6 4,0",
  P: "0,6 0,0 3,0 4,1 4,2 3,3 0,3",
  R: "0,6 0,0 3,0 4,1 3,3 0,3 4,6",
  T: "0,0 4,0 2,0 2,6",
  U: "0,0 0,5 1,6 3,6 4,5 4,0",
  V: "0,0 2,6 4,0",
  W: "0,0 1,6 2,3 3,6 4,0",
  X: "0,0 4,6 2,3 4,0 0,6",
  Y: "0,0 2,3 4,0 2,3 2,6",
  Z: "0,0 4,0 0,6 4,6",
};
const CHARACTERS = Object.keys(GLYPHS);
const WIDTH = 150;
const HEIGHT = 48;

/** Five characters that are not easily taken for one another. */
export const captchaText = (): string => Array.from({ length: 5 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");

/** The picture of a text as a data URI, with shaken strokes and lines across. */
export function drawCaptcha(text: string): string {
  const paths = text.split("").map((character, place) => {
    const angle = (randomInt(41) - 20) * (Math.PI / 180);
    const points = (GLYPHS[character] ?? "").split(" ").map((pair) => {
      const [x = 0, y = 0] = pair.split(",").map(Number);
      const dx = (x - 2) * 4.6 + jitter(1.2);
      const dy = (y - 3) * 4.6 + jitter(1.2);
      return `${round(20 + place * 27 + dx * Math.cos(angle) - dy * Math.sin(angle))} ${round(HEIGHT / 2 + dx * Math.sin(angle) + dy * Math.cos(angle))}`;
    });
    return `M${points.join("L")}`;
  });
  const noise = Array.from(
    { length: 3 },
    () => `M0 ${randomInt(HEIGHT)}Q${randomInt(WIDTH)} ${randomInt(HEIGHT)} ${WIDTH} ${randomInt(HEIGHT)}`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="#f6f5f2"/><g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${paths.join("")}" stroke="#1b1f27" stroke-width="2.4"/><path d="${noise.join("")}" stroke="#646b78" stroke-width="1.2"/></g></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
const jitter = (most: number): number => (randomInt(2001) / 1000 - 1) * most;
const round = (value: number): string => value.toFixed(1);
