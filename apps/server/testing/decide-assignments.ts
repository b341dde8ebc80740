import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { MERCHANTS } from "./people.ts";
import type { HttpWorld } from "./world.ts";

/** A hand-over that waits for its day, of a merchant of each provider that nobody else has. */
export async function decideAssignments({ tree, services }: TillWorld, send: HttpWorld["send"]): Promise<HttpWorld["assignments"]> {
  const from = addDays(shanghaiDay(services.clock.now_ms()), 3);
  const decided = [];
  for (const merchant of ["mch07", "mch08"] as const) {
    const { provider } = MERCHANTS[merchant];
    const body = { ids: [tree.merchants[merchant].id], salesmanId: null, from };
    await send(provider, { verb: "POST", path: "/api/organisation/merchants/assign", body });
    const list = await send(provider, { verb: "GET", path: "/api/organisation/assignments" });
    decided.push({ id: (list.body as { items: { id: string }[] }).items[0]!.id, merchant });
  }
  return decided;
}
