import { createHash } from "node:crypto";
import { png } from "../../../../apps/demo/ads/small-png.ts";
import type { Login, Place } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A material and whose it is: a provider's, or the platform's own. */
export interface MaterialFact extends Place {
  readonly id: string;
  readonly sha256: string;
  readonly status: number;
  /** As the list narrows by it. */
  readonly serviceProviderId: string | null;
}
/** An upload of which everything has come and which nobody has ended. */
export interface UploadFact {
  readonly id: string;
  readonly policy: string;
  /** Its only piece. */
  readonly base64: string;
  readonly user: Login;
}
const UPLOADERS: readonly Login[] = ["admin", "sp01", "sp02"];

/** Has each uploader upload a picture, and begin with another. */
async function plantMaterials({ send }: Soil): Promise<UploadFact[]> {
  const uploads: UploadFact[] = [];
  for (const [place, user] of UPLOADERS.entries()) {
    for (const whole of [true, false]) {
      const bytes = png(12, 10 + place, whole ? [200, 40, 40] : [40, 40, 200]);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const file = { fileName: "海报.png", sizeBytes: bytes.length, contentType: "image/png", sha256 };
      const { upload } = (await send(user, { verb: "POST", path: "/api/ad-materials/uploads", body: file })).body as {
        upload: { id: string; policy: string };
      };
      const body = { policy: upload.policy, place: 0, base64: bytes.toString("base64") };
      await send(user, { verb: "POST", path: "/api/ad-materials/uploads/piece", body });
      if (whole) await send(user, { verb: "POST", path: "/ad/api/Material/upload_callback", body: { policy: upload.policy } });
      else uploads.push({ ...upload, base64: body.base64, user });
    }
  }
  return uploads;
}
/** Every material there is, whoever planted it. */
async function readMaterials({ till: { tree }, owner }: Soil): Promise<MaterialFact[]> {
  const { rows } = await owner.query<{ id: string; sha256: string; status: number; provider: string | null }>(
    "select id, sha256, status, service_provider_id as provider from ad_materials where removed_at is null order by id",
  );
  const named = (id: string | null): Place =>
    id === null ? { user: "admin" } : { provider: id === tree.providers.sp01 ? "sp01" : "sp02" };
  return rows.map(({ provider, ...row }) => ({ ...row, serviceProviderId: provider, ...named(provider) }));
}
export const openUploads = plant(plantMaterials);
export const materialFacts = plant(readMaterials);
