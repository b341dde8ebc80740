import type { MerchantKey } from "./people.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { HttpWorld } from "./world.ts";

/** A save of a merchant's own device configuration, and the rows of its history. */
export interface ConfigFact {
  readonly id: string;
  readonly saveId: string;
  readonly merchant: MerchantKey;
  /** The node that it stands at. */
  readonly item_id: string;
}
/** Has some merchants set a value of their own. */
export async function setDeviceValues({ tree }: TillWorld, send: HttpWorld["send"]): Promise<ConfigFact[]> {
  const made: ConfigFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const node = { item_type: 2, item_id: tree.merchants[merchant].id };
    const body = { ...node, configs: [{ ckey: "volume", value: 41 }] };
    const saved = await send(merchant, { verb: "POST", path: "/device/api/Device/update_device_config", body });
    const query = { item_type: "2", item_id: node.item_id };
    const { items } = (await send(merchant, { verb: "GET", path: "/api/device-config/changes", query })).body as {
      items: { id: string }[];
    };
    made.push({ id: items[0]!.id, saveId: (saved.body as { saveId: string }).saveId, merchant, item_id: node.item_id });
  }
  return made;
}
