import { expect, test } from "vitest";
import { fitted } from "./shrink-paper.ts";

/** A photo whose bytes go with its area and its quality. */
const photo = (bytesPerPixel: number, drawn: string[] = []) => {
  return async ({ width, height }: { width: number; height: number }, quality: number) => {
    drawn.push(`${width}×${height} ${quality}`);
    return { size: Math.round(width * height * bytesPerPixel * quality) } as Blob;
  };
};

test("a photo of a phone fits into a request and keeps enough pixels to be read", async () => {
  const paper = (await fitted({ width: 4032, height: 3024 }, photo(0.3)))!;
  expect(paper.blob.size).toBeLessThanOrEqual(178_000);
  expect(paper.width).toBeGreaterThan(1_000);
  expect(paper.width / paper.height).toBeCloseTo(4 / 3, 2);
  expect(paper.small).toBe(false);
});
test("what fits at once is as fine as it may be, and nothing is drawn larger than it came", async () => {
  const drawn: string[] = [];
  const paper = (await fitted({ width: 500, height: 300 }, photo(0.1, drawn)))!;
  expect([paper.width, paper.height, paper.small]).toEqual([500, 300, true]);
  expect(drawn.at(-1)).toBe("500×300 0.85");
});
test("a better quality that does not fit is not taken", async () => {
  const paper = (await fitted({ width: 1_000, height: 1_000 }, photo(0.28)))!;
  expect([paper.width, paper.blob.size]).toEqual([1_000, 168_000]);
});
test("what can't be drawn, or never fits, is said and not sent", async () => {
  expect(await fitted({ width: 100, height: 100 }, async () => null)).toBeUndefined();
  expect(await fitted({ width: 100, height: 100 }, async () => ({ size: 1_000_000 }) as Blob)).toBeUndefined();
});
