import type { Box } from "./boxes.ts";

const FREE = Buffer.from("free");
/**
 * Passes a film on with boxes made empty: their kind becomes `free` and what they hold zeros, and everything else stays where it was.
 * @param pieces the whole file in order
 */
export async function* wipe(pieces: AsyncIterable<Buffer>, boxes: readonly Box[]): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const given of pieces) {
    const end = at + given.length;
    const hit = boxes.filter((box) => box.at < end && box.end > at);
    const piece = hit.length > 0 ? Buffer.from(given) : given;
    for (const box of hit) {
      for (let n = Math.max(at, box.at + 4); n < Math.min(end, box.at + 8); n++) piece[n - at] = FREE[n - box.at - 4] ?? 0;
      if (box.body < end) piece.fill(0, Math.max(0, box.body - at), Math.min(given.length, box.end - at));
    }
    yield piece;
    at = end;
  }
}
