/** What a browser reads codes from a picture with. */
export interface CodeReader {
  detect(picture: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
interface CodeReaders {
  new (of: { readonly formats: readonly string[] }): CodeReader;
  getSupportedFormats(): Promise<readonly string[]>;
}
/** What vouchers, coupons and cards are shown as. */
const KINDS = ["qr_code", "code_128"];
/** Chrome on Android has one, an iPhone has none; without https no browser gives its camera away. */
export async function findCodeReader(): Promise<CodeReader | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: CodeReaders };
  if (!BarcodeDetector || !("mediaDevices" in navigator)) return undefined;
  const known = await BarcodeDetector.getSupportedFormats();
  const formats = KINDS.filter((kind) => known.includes(kind));
  return formats.length > 0 ? new BarcodeDetector({ formats }) : undefined;
}
