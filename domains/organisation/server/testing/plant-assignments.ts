import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { MERCHANTS } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A hand-over that waits for its day, of a merchant of each provider that nobody else has. */
async function decideAssignments({ till: { tree }, services, send }: Soil) {
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
export const waitingAssignments = plant(decideAssignments);
