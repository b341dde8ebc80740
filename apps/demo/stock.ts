import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "./live.ts";
import { signIn, type DemoTree } from "./tree/tree.ts";

/** New devices on the shelves: the platform's, a provider's, and two that a merchant has not put up yet; one is being repaired. */
export async function stockDevices(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const as = async (login: "admin" | "sp01") => ({ authorization: `Bearer ${await signIn(services, login)}` });
  const [admin, sp01] = [await as("admin"), await as("sp01")];
  const sns = (from: number, count: number) => Array.from({ length: count }, (_none, n) => `ZF-N${String(from + n).padStart(4, "0")}`);
  const intake = (who: Record<string, string>, model: string, from: number, count: number) =>
    wire.post(
      `${api}/api/equipment/intake?_t=1`,
      { requestId: requestId(), model, sns: sns(from, count), batch: "2026-11", note: "年前备货" },
      who,
    );
  await intake(admin, "FACEPOS-F24", 1, 6);
  await intake(sp01, "XY-L1", 101, 8);
  const { items } = (await wire.get(`${api}/api/equipment?_t=1&keyword=ZF-N01&pageSize=10`, sp01)) as unknown as {
    items: { id: string }[];
  };
  const ids = items.map(({ id }) => id);
  const move = (kind: string, some: readonly string[], more: object = {}) =>
    wire.post(`${api}/api/equipment/move?_t=1`, { requestId: requestId(), kind, ids: some, ...more }, sp01);
  await move("issue", ids.slice(0, 2), { merchantId: tree.merchants.mch01.id, note: "新店用" });
  await move("repair", ids.slice(2, 3), { note: "屏幕有条纹" });
}
