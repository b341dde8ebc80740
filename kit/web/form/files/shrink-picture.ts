import { base64Of } from "./base64.ts";

/** What a picture may be at most. */
export interface Bounds {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/**
 * Draws a picture anew within bounds: PNG where it fits, so that what is transparent stays so, else JPEG, ever smaller.
 * @returns its bytes as base64; undefined where it is no picture
 */
export async function shrink(file: Blob, most: Bounds): Promise<string | undefined> {
  const drawn = await createImageBitmap(file).catch(() => undefined);
  if (!drawn) return undefined;
  let scale = Math.min(1, most.width / drawn.width, most.height / drawn.height);
  for (let tries = 0; tries < 8; tries++, scale *= 0.75) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(drawn.width * scale));
    canvas.height = Math.max(1, Math.round(drawn.height * scale));
    canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
    for (const type of ["image/png", "image/jpeg"]) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.86));
      if (blob && blob.size <= most.bytes) return base64Of(new Uint8Array(await blob.arrayBuffer()));
    }
  }
  return undefined;
}
