import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { updateAgent as endpoint } from "../../contract/index.ts";
import { maskAnyPhone } from "../merchants/merchant-columns.ts";
import { findAgent } from "./find-agent.ts";

/** 修改代理商: over the version that was read, so that nobody overwrites what they did not see. */
export const updateAgent = implement(endpoint, async (ctx, { id, version, ...given }) => {
  const before = await findAgent(ctx.tx, ctx.scope, id);
  const values = {
    name: given.name,
    region: given.region || null,
    contact_name: given.contactName ?? before.contact_name,
    contact_phone: given.contactPhone ?? before.contact_phone,
    version: version + 1,
  };
  mustChange(
    await ctx.tx
      .updateTable("agents")
      .set(values)
      .where("service_provider_id", "=", before.service_provider_id)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst(),
    () => conflict("代理商资料已被其他人修改，请刷新后重试"),
  );
  const told = (row: Omit<typeof values, "version">) => ({
    name: row.name,
    region: row.region,
    contactPhone: row.contact_phone && maskAnyPhone(row.contact_phone),
  });
  ctx.note({ targetKind: "agent", targetId: id, before: told(before), after: told(values), provider: before.service_provider_id });
  return { ok: true as const };
});
