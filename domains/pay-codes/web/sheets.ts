import { createElement } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { oneImagePdf } from "./one-image-pdf.ts";
import { HEIGHT, posterImage, WIDTH } from "./poster.ts";

export const posterFormat = labelled({ png: "PNG", svg: "SVG", pdf: "PDF" });
export type PosterFormat = "png" | "svg" | "pdf";
/** A page of A5 that is printed or taken away. */
export interface Sheet {
  readonly id: string;
  /** Its file, without its ending. */
  readonly name: string;
  readonly svg: string;
}

async function fileOf({ svg }: Sheet, format: PosterFormat): Promise<Blob> {
  if (format === "svg") return new Blob([svg], { type: "image/svg+xml" });
  if (format === "png") return posterImage(svg, "image/png");
  const jpeg = new Uint8Array(await (await posterImage(svg, "image/jpeg")).arrayBuffer());
  return oneImagePdf(jpeg, WIDTH * 2, HEIGHT * 2);
}
/** A name that every file system takes. */
const nameOf = ({ name }: Sheet, format: PosterFormat): string => `${name.replaceAll(/[\\/:*?"<>|]/g, "_")}.${format}`;

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
/** One sheet as a file, several as a zip of that name. */
export async function saveSheets(sheets: readonly Sheet[], format: PosterFormat, zip: string): Promise<void> {
  const [first] = sheets;
  if (first && sheets.length === 1) return save(await fileOf(first, format), nameOf(first, format));
  const files: Record<string, Uint8Array> = {};
  for (const sheet of sheets) files[nameOf(sheet, format)] = new Uint8Array(await (await fileOf(sheet, format)).arrayBuffer());
  const { zipSync } = await import("fflate");
  save(new Blob([zipSync(files, { level: 0 }) as BlobPart], { type: "application/zip" }), `${zip}.zip`);
}

/** Prints sheets, a page each. */
export async function printSheets(sheets: readonly Sheet[]): Promise<void> {
  const pages = await Promise.all(
    sheets.map(async ({ id, svg }) => {
      const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
      const page = new Image();
      page.src = src;
      // Printing begins at once: what is not drawn by then is a blank page.
      await page.decode();
      return { id, src };
    }),
  );
  printSheet(pages.map(({ id, src }) => createElement("img", { key: id, src, className: "pay-code-page", alt: "" })));
}
