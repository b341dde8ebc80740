import { base64Of } from "@zhangfang/web/form/files/base64.ts";
import { MOST_THUMB_BYTES } from "../../contract/index.ts";

/** The longer side, in pixels: a tile of the list at twice its size. */
const SIDE = 480;

/** A small JPEG of a film a little after it begins, for the server reads no films' pictures; undefined where this browser can't draw it. */
export async function drawThumb(file: File): Promise<string | undefined> {
  try {
    return await ofFilm(file);
  } catch {
    return undefined;
  }
}
async function ofFilm(file: File): Promise<string | undefined> {
  const film = document.createElement("video");
  film.muted = true;
  film.preload = "auto";
  const heard = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      film.addEventListener(name, () => resolve(), { once: true });
      film.addEventListener("error", () => reject(new Error("no film")), { once: true });
      setTimeout(() => reject(new Error("too slow")), 8_000);
    });
  film.src = URL.createObjectURL(file);
  try {
    await heard("loadeddata");
    // The first frame is black more often than not.
    const there = heard("seeked");
    film.currentTime = Math.min(1, film.duration / 3);
    await there;
    return await small(film);
  } finally {
    URL.revokeObjectURL(film.src);
  }
}
async function small(film: HTMLVideoElement): Promise<string | undefined> {
  const { videoWidth: width, videoHeight: height } = film;
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const draw = canvas.getContext("2d");
  if (!draw) return undefined;
  draw.drawImage(film, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.82, 0.6, 0.4]) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (blob && blob.size <= MOST_THUMB_BYTES) return base64Of(new Uint8Array(await blob.arrayBuffer()));
  }
  return undefined;
}
