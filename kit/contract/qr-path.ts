import { encode } from "uqr";

/**
 * A QR code as one SVG path of unit squares on a board of `cells` by `cells`, with a quiet edge of two.
 * @example const { path, cells } = qrPath("https://example.com/pay/x");
 */
export function qrPath(text: string): { readonly path: string; readonly cells: number } {
  const { data, size: cells } = encode(text, { ecc: "M", border: 2 });
  return { path: data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join(""), cells };
}
