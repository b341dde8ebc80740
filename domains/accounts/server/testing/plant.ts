import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A sign-in by code that mch02 has scanned and not answered. */
async function scanCode({ send }: Soil): Promise<string> {
  const { requestId } = (await send("anonymous", { verb: "POST", path: "/api/qr-requests", body: {} })).body as { requestId: string };
  await send("mch02", { verb: "POST", path: "/api/qr-requests/scan", body: { requestId } });
  return requestId;
}
export const scannedCode = plant(scanCode);

/** What was done to each merchant, as the log has it: its people, and who stands above them, read it. */
async function writeLogs({
  till: { tree },
  services,
  owner,
}: Soil): Promise<readonly { readonly id: string; readonly merchant: MerchantKey }[]> {
  const written = [];
  for (const merchant of MERCHANT_KEYS) {
    const id = services.ids.uuid(services.clock.now_ms());
    await owner.query(
      `insert into audit_log (id, service_provider_id, merchant_id, at, endpoint, title)
        select $1, m.service_provider_id, m.id, $2, 'POST /planted', '看过的事' from merchants m where m.id = $3`,
      [id, new Date(services.clock.now_ms()), tree.merchants[merchant].id],
    );
    written.push({ id, merchant });
  }
  return written;
}
export const auditFacts = plant(writeLogs);
