import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { updateSalesman as endpoint } from "../../contract/index.ts";
import { maskAnyPhone } from "../merchants/merchant-columns.ts";
import { findSalesman } from "./find-salesman.ts";

/** 修改业务员: over the version that was read, so that nobody overwrites what they did not see. */
export const updateSalesman = implement(endpoint, async (ctx, { id, version, name, phone }) => {
  const before = await findSalesman(ctx.tx, ctx.scope, id);
  const values = { name, phone: phone ?? before.phone, version: version + 1 };
  mustChange(
    await ctx.tx
      .updateTable("salesmen")
      .set(values)
      .where("service_provider_id", "=", before.service_provider_id)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst(),
    () => conflict("业务员资料已被其他人修改，请刷新后重试"),
  );
  const told = (row: Pick<typeof values, "name" | "phone">) => ({ name: row.name, phone: row.phone && maskAnyPhone(row.phone) });
  ctx.note({ targetKind: "salesman", targetId: id, before: told(before), after: told(values), provider: before.service_provider_id });
  return { ok: true as const };
});
