import { zipSync } from "fflate";
import { createElement } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
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
const fileName = ({ storeName, storeNumber, cashierName, cashierCode }: Poster, format: PosterFormat): string => {
  const name = cashierName === null ? storeName : `${storeName}-${cashierName}`;
  return `收款码-${name.replaceAll(/[\\/:*?"<>|]/g, "_")}-${cashierCode ?? storeNumber}.${format}`;
};

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
  save(new Blob([zipSync(files, { level: 0 }) as BlobPart], { type: "application/zip" }), `收款码-${posters.length}张.zip`);
}

/** Prints posters, a page each. */
export async function printPosters(posters: readonly Poster[]): Promise<void> {
  const pages = await Promise.all(
    posters.map(async (poster) => {
      const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(posterSvg(poster, await logoOf(poster)))}`;
      const page = new Image();
      page.src = src;
      // Printing begins at once: what is not drawn by then is a blank page.
      await page.decode();
      return { id: poster.id, src };
    }),
  );
  printSheet(pages.map(({ id, src }) => createElement("img", { key: id, src, className: "pay-code-page", alt: "" })));
}
