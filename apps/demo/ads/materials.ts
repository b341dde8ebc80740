import { createHash } from "node:crypto";
import { MATERIAL_PIECE_BYTES } from "@zhangfang/domains/ads/contract/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { poster } from "./poster.ts";
import { smallFilm } from "./small-film.ts";
import { signIn } from "../tree/tree.ts";

type Post = (path: string, body: object) => Promise<Record<string, unknown>>;

/** Uploads a file as the page does: piece by piece, then the callback. */
export async function sendMaterial(post: Post, name: string, bytes: Buffer): Promise<{ material_id: string; sha256: string }> {
  const contentType = bytes.toString("latin1", 4, 8) === "ftyp" ? "video/mp4" : "image/png";
  const file = {
    fileName: `${name}.${contentType.slice(6)}`,
    sizeBytes: bytes.length,
    contentType,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
  const { policy } = (await post("/api/ad-materials/uploads", file))["upload"] as { policy: string };
  for (let place = 0; place * MATERIAL_PIECE_BYTES < bytes.length; place++) {
    const base64 = bytes.subarray(place * MATERIAL_PIECE_BYTES, (place + 1) * MATERIAL_PIECE_BYTES).toString("base64");
    await post("/api/ad-materials/uploads/piece", { policy, place, base64 });
  }
  return (await post("/ad/api/Material/upload_callback", { policy, name })) as { material_id: string; sha256: string };
}

/** A film that passed, and pictures that did not: the platform has said why. */
export async function sayOfMaterials(services: Services): Promise<void> {
  const { wire, api } = openWire(services);
  const as = async (login: "admin" | "sp01"): Promise<Post> => {
    const head = { authorization: `Bearer ${await signIn(services, login)}` };
    return (path, body) => wire.post(`${api}${path}?_t=1`, body, head);
  };
  const [admin, sp01] = [await as("admin"), await as("sp01")];
  // A warm surface on which a bright band goes from left to right.
  const film = smallFilm({ width: 320, height: 176, seconds: 6 }, (x, y, second) => {
    const band = Math.abs(x - second * 60 - 10) < 30 ? 60 : 0;
    return [80 + band + (y >> 2), 100, 165];
  });
  const say = async (name: string, bytes: Buffer, audit_status: 1 | 2 | 3, reason?: string): Promise<void> => {
    const { material_id, sha256 } = await sendMaterial(sp01, name, bytes);
    await admin("/api/ad-materials/audit", { items: [{ material_id, sha256 }], audit_status, reason });
  };
  await say("火锅沸腾短片", film, 1);
  await say("满百减五十海报", poster(640, 400, [200, 60, 20], [250, 210, 90]), 2, "请补充活动的起止日期");
  await say("全城最低价海报", poster(640, 400, [90, 90, 100], [180, 180, 190]), 3, "「全城最低价」属于绝对化用语，不能使用");
}
