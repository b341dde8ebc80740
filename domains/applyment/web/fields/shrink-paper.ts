/** What one request takes; JSON carries a third more. */
const MOST_BYTES = 178_000;
const LONGEST = 2_000;
/** Below this the small print of a licence can't be read. */
const READABLE = 600;
/** The worst that is drawn, and the better ones that are tried when there is room. */
const PLAIN = 0.6;
const BETTER = [0.72, 0.85] as const;

interface Size {
  readonly width: number;
  readonly height: number;
}
/** A picture as it goes out. */
export interface Paper extends Size {
  readonly blob: Blob;
  /** It came so small that its words may not be read. */
  readonly small: boolean;
}

/**
 * A photo of a paper, drawn so that it fits into one request: as many pixels as possible first, for words need those, then the finest
 * quality that still fits.
 * @param draw the picture at a size and a quality; null where it can't be drawn
 * @returns undefined where nothing fits
 */
export async function fitted(
  from: Size,
  draw: (size: Size, quality: number) => Promise<Blob | null>,
  most_bytes = MOST_BYTES,
): Promise<Paper | undefined> {
  const longest = Math.max(from.width, from.height);
  let scale = Math.min(1, LONGEST / longest);
  for (let tries = 0; tries < 8; tries++) {
    const size = { width: Math.max(1, Math.round(from.width * scale)), height: Math.max(1, Math.round(from.height * scale)) };
    const plain = await draw(size, PLAIN);
    if (!plain) return undefined;
    if (plain.size <= most_bytes) return { ...size, blob: await finest(plain, size, draw, most_bytes), small: longest < READABLE };
    // Bytes go with the area.
    scale *= Math.max(0.5, Math.sqrt(most_bytes / plain.size) * 0.97);
  }
  return undefined;
}
async function finest(plain: Blob, size: Size, draw: (size: Size, quality: number) => Promise<Blob | null>, most: number): Promise<Blob> {
  let best = plain;
  for (const quality of BETTER) {
    const finer = await draw(size, quality);
    if (!finer || finer.size > most) break;
    best = finer;
  }
  return best;
}

/** A photo as it is sent; undefined where the browser can't open it. */
export async function shrinkPaper(file: Blob): Promise<Paper | undefined> {
  const drawn = await createImageBitmap(file).catch(() => undefined);
  if (!drawn) return undefined;
  const canvas = document.createElement("canvas");
  try {
    return await fitted(drawn, ({ width, height }, quality) => {
      [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext("2d");
      if (!pen) return Promise.resolve(null);
      // What is transparent would come out black.
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, width, height);
      pen.imageSmoothingQuality = "high";
      pen.drawImage(drawn, 0, 0, width, height);
      return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    });
  } finally {
    drawn.close();
  }
}
