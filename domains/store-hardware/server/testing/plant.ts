import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A printer or speaker of a store, and a test that it printed or said. */
export interface HardwareFact {
  readonly id: string;
  readonly kind: "printer" | "speaker";
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly storeId: string;
  readonly outputId: string;
}
/** The stores that have a printer and a speaker, by whose login they are bound. */
const PLACES: readonly (readonly ["mch01" | "mch02" | "mch03", number])[] = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch01", 3],
  ["mch02", 0],
  ["mch03", 0],
];

/** Binds a printer and a speaker at some stores and has each tried once. */
async function bindHardware({ till, send }: Soil): Promise<HardwareFact[]> {
  const made: HardwareFact[] = [];
  for (const [login, store] of PLACES) {
    const merchant: MerchantKey = login;
    const storeId = till.tree.merchants[merchant].stores[store]!.id;
    for (const kind of ["printer", "speaker"] as const) {
      const own = kind === "printer" ? { vendor: "feie", key: "abcd1234" } : {};
      const ask = (name: string, body: object) => send(login, { verb: "POST", path: `/api/store-hardware/${kind}s/${name}`, body });
      const sn = `9600${merchant.slice(-1)}${store}`;
      const { body } = await ask("bind", { storeId, sn, name: `${kind} ${merchant} ${store}`.slice(0, 20), ...own });
      const { id } = body as { id: string };
      await ask("test", { id });
      const [output] = await till.owner<{ id: string }>("select id from hardware_outputs where hardware_id = $1", [id]);
      made.push({ id, kind, merchant, store, storeId, outputId: output!.id });
    }
  }
  return made;
}
export const hardwareFacts = plant(bindHardware);
