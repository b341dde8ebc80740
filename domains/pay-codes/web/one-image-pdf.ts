/** A5 in points. */
const PAGE = [419.53, 595.28] as const;

/**
 * A PDF of one A5 page that is one JPEG: Chinese text in a PDF needs an embedded font of megabytes, a picture needs none.
 * Objects: catalogue, pages, page, its drawing, the image; then where each begins (ISO 32000-1, 7.5).
 */
export function oneImagePdf(jpeg: Uint8Array, width: number, height: number): Blob {
  const [across, up] = PAGE;
  const drawing = `q ${across} 0 0 ${up} 0 0 cm /Im0 Do Q`;
  const objects: (string | Uint8Array)[][] = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${up}] /Contents 4 0 R /Resources << /XObject << /Im0 5 0 R >> >> >>`],
    [`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      jpeg,
      "\nendstream",
    ],
  ];
  const parts: (string | Uint8Array)[] = ["%PDF-1.4\n"];
  const begins: number[] = [];
  const size = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    begins.push(size());
    parts.push(`${index + 1} 0 obj\n`, ...object, "\nendobj\n");
  }
  const table = size();
  const rows = begins.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts as BlobPart[], { type: "application/pdf" });
}
