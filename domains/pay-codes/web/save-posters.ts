import { zipSync } from "fflate";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { oneImagePdf } from "./one-image-pdf.ts";
import { HEIGHT, logoOf, type Poster, posterImage, posterSvg, WIDTH } from "./poster.ts";

export const posterFormat = labelled({ png: "PNG", svg: "SVG", pdf: "PDF" });
export type PosterFormat = "png" | "svg" | "pdf";

async function posterFile(poster: Poster, format: PosterFormat): Promise<Blob> {
  const svg = posterSvg(poster, await logoOf(poster));
  if (format === "svg") return new Blob([svg], { type: "image/svg+xml" });
  if (format === "png") return posterImage(svg, "image/png");
  const jpeg = new Uint8Array(await (await posterImage(svg, "image/jpeg")).arrayBuffer());
  return oneImagePdf(jpeg, WIDTH * 2, HEIGHT * 2);
}
/** A name that every file system takes. */
const fileName = ({ storeName, storeNumber }: Poster, format: PosterFormat): string =>
  `收款码-${storeName.replaceAll(/[\\/:*?"<>|]/g, "_")}-${storeNumber}.${format}`;

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
/** One poster as a file, several as a zip. */
export async function savePosters(posters: readonly Poster[], format: PosterFormat): Promise<void> {
  const [first] = posters;
  if (first && posters.length === 1) return save(await posterFile(first, format), fileName(first, format));
  const files: Record<string, Uint8Array> = {};
  for (const poster of posters) files[fileName(poster, format)] = new Uint8Array(await (await posterFile(poster, format)).arrayBuffer());
  save(new Blob([zipSync(files, { level: 0 }) as BlobPart], { type: "application/zip" }), `收款码-${posters.length}家门店.zip`);
}
