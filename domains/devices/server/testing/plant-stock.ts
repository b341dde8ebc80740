import { randomUUID } from "node:crypto";
import type { Login, MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A thing in somebody's stock: the platform's where nobody is named. */
export interface StockFact {
  readonly id: string;
  readonly sn: string;
  readonly provider?: "sp01" | "sp02" | undefined;
  readonly merchant?: MerchantKey | undefined;
  /** Whose alone it is. */
  readonly user?: Login;
}
/** Puts a thing into the stock of the platform, of each provider, and of some merchants. */
async function takeIntoStock({ till: { tree }, send }: Soil): Promise<StockFact[]> {
  const made: StockFact[] = [];
  const take = async (login: Login, sn: string): Promise<string> => {
    await send(login, { verb: "POST", path: "/api/equipment/intake", body: { requestId: randomUUID(), model: "XY-L1", sns: [sn] } });
    const { body } = await send(login, { verb: "GET", path: "/api/equipment", query: { keyword: sn } });
    return (body as { items: { id: string }[] }).items[0]!.id;
  };
  made.push({ id: await take("admin", "STOCK-0001"), sn: "STOCK-0001", user: "admin" });
  for (const [n, provider, merchant] of [
    [2, "sp01", undefined],
    [3, "sp02", undefined],
    [4, "sp01", "mch01"],
    [5, "sp02", "mch02"],
    [6, "sp01", "mch03"],
  ] as const) {
    const sn = `STOCK-000${n}`;
    const id = await take(provider, sn);
    if (merchant) {
      const body = { requestId: randomUUID(), kind: "issue", ids: [id], merchantId: tree.merchants[merchant].id };
      await send(provider, { verb: "POST", path: "/api/equipment/move", body });
    }
    made.push({ id, sn, provider, merchant });
  }
  return made;
}
export const stockFacts = plant(takeIntoStock);
