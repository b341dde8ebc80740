import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import type { openPayCodes } from "../contract.ts";

export type Poster = OutputOf<typeof openPayCodes>["items"][number];
/** A5 upright, in points times two: what a shop prints and puts on its counter. */
export const WIDTH = 840;
export const HEIGHT = 1190;
const QR = 560;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** A size at which so many characters fit into the width. */
export const fitted = (text: string, largest: number): number =>
  Math.min(largest, Math.floor((WIDTH - 120) / Math.max(1, [...text].length)));
/** A line in the middle of the page. */
export const words = (text: string, y: number, size: number, more = ""): string =>
  `<text x="${WIDTH / 2}" y="${y}" font-size="${size}" text-anchor="middle" ${more}>${escaped(text)}</text>`;

/** The provider's logo, where it is one of ours and can be read; as data, so that the poster stands alone. */
export async function logoOf({ logoUrl }: Pick<Poster, "logoUrl">): Promise<string | undefined> {
  if (!logoUrl) return undefined;
  try {
    const picture = await (await fetch(logoUrl)).blob();
    if (!picture.type.startsWith("image/")) return undefined;
    const bytes = new Uint8Array(await picture.arrayBuffer());
    return `data:${picture.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""))}`;
  } catch {
    // From elsewhere, or gone: the name stands in its place.
    return undefined;
  }
}

/** The poster as SVG text: always black on white, because it is printed. */
export function posterSvg(poster: Poster, logo?: string): string {
  const { brandName, storeName, merchantName, storeNumber, cashierName, cashierCode, url } = poster;
  const { path, cells } = qrPath(url);
  const left = (WIDTH - QR) / 2;
  const mark = logo
    ? `<image href="${escaped(logo)}" x="${WIDTH / 2 - 160}" y="52" width="320" height="96" preserveAspectRatio="xMidYMid meet"/>`
    : words(brandName, 118, fitted(brandName, 48), 'fill="#fff" font-weight="600"');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, 'PingFang SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif" fill="#1b1f27">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<rect width="${WIDTH}" height="200" fill="${logo ? "#fff" : "#1b1f27"}"/>
${mark}
${words(storeName, 300, fitted(storeName, 60), 'font-weight="600"')}
<svg x="${left}" y="350" width="${QR}" height="${QR}" viewBox="0 0 ${cells} ${cells}" shape-rendering="crispEdges"><rect width="${cells}" height="${cells}" fill="#fff"/><path d="${path}" fill="#000"/></svg>
${words(cashierName === null ? "扫码付款" : `扫码付款 · 收银员 ${cashierName}`, 990, cashierName === null ? 52 : 44, 'font-weight="600"')}
${words("付款前请核对店名", 1050, 30, 'fill="#5d5a52"')}
${words(`${merchantName} · ${storeNumber}${cashierCode === null ? "" : ` · ${cashierCode}`}`, 1130, 26, 'fill="#5d5a52"')}
</svg>`;
}

/** The poster as pixels, through the browser's own drawing of the SVG. */
export async function posterImage(svg: string, type: "image/png" | "image/jpeg"): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    // Twice the size of the page in points times two: 300 dots an inch on A5.
    canvas.width = WIDTH * 2;
    canvas.height = HEIGHT * 2;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), type, 0.92),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
