import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A command of the first device of a store. */
export interface CommandFact {
  readonly id: string;
  readonly deviceId: string;
  readonly number: number;
  readonly kind: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
/** Three commands of each device that calls in the matrix: one that it was told, one for which it brought a log, one that waits. */
async function queueCommands({ till: { tree, owner }, send }: Soil): Promise<CommandFact[]> {
  const made: CommandFact[] = [];
  for (const [merchant, store] of [
    ["mch01", 0],
    ["mch01", 1],
    ["mch03", 0],
    ["mch02", 0],
  ] as const) {
    const deviceId = tree.merchants[merchant].stores[store]!.devices[0]!.id;
    for (const [n, kind] of (["restart", "upload-log", "screenshot"] as const).entries()) {
      await send(merchant, { verb: "POST", path: "/api/devices/commands", body: { requestId: randomUUID(), kind, ids: [deviceId] } });
      const [row] = await owner<{ id: string }>(
        `update device_commands set status = $3::smallint, delivered_at = case when $3::smallint = 1 then created_at end where device_id = $1 and number = $2 returning id`,
        [deviceId, n + 1, n < 2 ? 1 : 0],
      );
      made.push({ id: row!.id, deviceId, number: n + 1, kind, merchant, store });
    }
  }
  await owner(`insert into device_files (service_provider_id, command_id, merchant_id, store_id, content_type, bytes, created_at)
    select service_provider_id, id, merchant_id, store_id, 'text/plain', 'log', created_at from device_commands where kind = 'upload-log'`);
  return made;
}
export const commandFacts = plant(queueCommands);
