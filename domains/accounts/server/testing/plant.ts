import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A sign-in by code that mch02 has scanned and not answered. */
async function scanCode({ send }: Soil): Promise<string> {
  const { requestId } = (await send("anonymous", { verb: "POST", path: "/api/qr-requests", body: {} })).body as { requestId: string };
  await send("mch02", { verb: "POST", path: "/api/qr-requests/scan", body: { requestId } });
  return requestId;
}
export const scannedCode = plant(scanCode);
