import { createHash } from "node:crypto";
import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { unauthorized } from "@zhangfang/server/calls/errors.ts";
import { configOfDevice, type DevicePlace, versionsFor, waitForSave } from "../../level-config/server/index.ts";
import { deliverCommands, openCommands } from "./commands/device-side.ts";
import { DEVICE_KEYS, getOwnConfig } from "../contract/index.ts";

interface Own extends DevicePlace {
  readonly name: string;
  readonly cashierMode: number;
  readonly storeName: string;
  readonly merchantName: string;
  readonly cashierCode: string | null;
}

/** 设备取配置: what holds for the device that asks. One whose tag still holds waits for the next save, up to its own limit. */
export const getOwnConfigRoute = implement(getOwnConfig, async (ctx, { wait }) => {
  const until_ms = performance.now() + wait * 1_000;
  const now = (): string => new Date(ctx.services.clock.now_ms()).toISOString();
  const had = ctx.incoming.headers["if-none-match"];
  for (;;) {
    const { known, open, own, ...found } = await ctx.transaction((tx) => read(ctx, tx), { readOnly: true });
    const same =
      `"${found.tag}"` === had && (await waitForSave(ctx.services, { who: ctx.principal.id, known }, until_ms - performance.now()));
    // A save elsewhere in the tree changes nothing here: the device goes on waiting.
    const commands = same || open.length === 0 ? [] : await ctx.transaction((tx) => deliverCommands(tx, own, now()));
    if (!same) return { ...found, commands, now: now() as never };
  }
});

async function read(ctx: Ctx, tx: Transaction) {
  const { rows } = await sql<Own>`
    select d.id, d.store_id, d.merchant_id, d.service_provider_id, d.name, d.cashier_mode as "cashierMode", s.short_name as "storeName", m.short_name as "merchantName", c.code as "cashierCode"
    from devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
      join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
      left join cashiers c on c.service_provider_id = d.service_provider_id and c.id = d.cashier_id
    where d.service_provider_id = ${ctx.scope.provider ?? null} and d.id = ${ctx.principal.id} and d.state = 'active'`.execute(tx);
  const [own] = rows;
  if (!own) throw unauthorized();
  const known = await versionsFor(tx, "device", own);
  const { values, tag: config } = await configOfDevice(tx, { namespace: "device", keys: DEVICE_KEYS }, own);
  const { name, cashierMode, storeName, merchantName, cashierCode } = own;
  const device = { name, cashierMode, storeName, merchantName, cashierCode };
  const open = await openCommands(tx, own, new Date(ctx.services.clock.now_ms()).toISOString());
  // What there is to do belongs to the tag: a command that is new, or over, is a change.
  const tag = createHash("sha256")
    .update(config)
    .update(JSON.stringify([device, open]))
    .digest("base64url")
    .slice(0, 22);
  return { tag, device, values, known, open, own };
}
