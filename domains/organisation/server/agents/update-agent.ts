import { implement } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updateAgent } from "../../contract/index.ts";
import { maskAnyPhone } from "../merchants/list/merchant-columns.ts";
import { findAgent } from "./find-agent.ts";

/** 修改代理商: over the version that was read, so that nobody overwrites what they did not see. */
export const updateAgentRoute = implement(updateAgent, async (ctx, { id, version, ...given }) => {
  const before = await findAgent(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  const values = {
    name: given.name,
    region: given.region || null,
    contact_name: given.contactName ?? before.contact_name,
    contact_phone: given.contactPhone ?? before.contact_phone,
  };
  await writeOver(ctx.tx, "agents", { service_provider_id: provider, id }, version, values, "代理商资料");
  const told = (row: typeof values) => ({
    name: row.name,
    region: row.region,
    contactPhone: row.contact_phone && maskAnyPhone(row.contact_phone),
  });
  ctx.note({ targetKind: "agent", targetId: id, before: told(before), after: told(values), provider });
  return { ok: true as const };
});
