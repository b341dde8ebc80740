import { randomUUID } from "node:crypto";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { openPushDoor, givePushDoor } from "../push-door.ts";

/** A provider's address, with one delivery that was given up. */
export interface PushFact {
  readonly id: string;
  readonly provider: "sp01" | "sp02";
  readonly delivery: string;
  readonly merchantId: string;
}
async function addEndpoints(soil: Soil): Promise<readonly PushFact[]> {
  // Nobody is called.
  givePushDoor(soil.services, { ...openPushDoor([]), send: () => Promise.reject(new Error("no answer within 0 ms")) });
  const facts: PushFact[] = [];
  for (const provider of ["sp01", "sp02"] as const) {
    const body = {
      requestId: randomUUID(),
      name: `ERP ${provider}`,
      url: `https://${provider}.example.com/hooks`,
      // What nothing in this world does.
      events: ["recon_day.closed"],
    };
    const { id } = (await soil.send(provider, { verb: "POST", path: "/api/push/endpoints/add", body })).body as { id: string };
    const of = soil.till.tree.providers[provider];
    await soil.owner.query("select app.push($1, 'recon_day.closed', null, $2, now(), '', '2026-11-19')", [of, randomUUID()]);
    const { rows } = await soil.owner.query<{ id: string }>(
      "update push_deliveries set state = 'abandoned', settled_at = now() where endpoint_id = $1 returning id",
      [id],
    );
    const merchantId = soil.till.tree.merchants[provider === "sp01" ? "mch01" : "mch02"].id;
    facts.push({ id, provider, delivery: rows[0]!.id, merchantId });
  }
  return facts;
}
export const pushFacts = plant(addEndpoints);
