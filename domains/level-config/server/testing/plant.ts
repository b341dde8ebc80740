import type { Login, MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A save of a merchant's own configuration, and the rows of its history. */
export interface ConfigFact {
  readonly id: string;
  readonly saveId: string;
  readonly merchant: MerchantKey;
  /** The node that it stands at. */
  readonly item_id: string;
}
const SAVERS: Readonly<Record<"device" | "ad", Readonly<Record<"mch01" | "mch02" | "mch03", Login>>>> = {
  device: { mch01: "mch01", mch02: "mch02", mch03: "mch03" },
  // Ads are their provider's.
  ad: { mch01: "sp01", mch02: "sp02", mch03: "sp01" },
};
const LEGACY = { device: "/device/api/Device", ad: "/ad/api/Ad" } as const;
/** Has a value of their own set at some merchants. */
async function setConfigValues({ till: { tree }, send }: Soil, thing: "device" | "ad"): Promise<ConfigFact[]> {
  const made: ConfigFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const saver = SAVERS[thing][merchant];
    const node = { item_type: 2, item_id: tree.merchants[merchant].id };
    const body = { ...node, configs: [{ ckey: "volume", value: 41 }] };
    const saved = await send(saver, { verb: "POST", path: `${LEGACY[thing]}/update_${thing}_config`, body });
    const query = { item_type: "2", item_id: node.item_id };
    const { items } = (await send(saver, { verb: "GET", path: `/api/${thing}-config/changes`, query })).body as {
      items: { id: string }[];
    };
    made.push({ id: items[0]!.id, saveId: (saved.body as { saveId: string }).saveId, merchant, item_id: node.item_id });
  }
  return made;
}
export const deviceSaves = plant((soil) => setConfigValues(soil, "device"));
export const adSaves = plant((soil) => setConfigValues(soil, "ad"));
