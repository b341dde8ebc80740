import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { updateUser } from "../../../accounts/server/index.ts";
import { listAreaManagers, setAreaManagers } from "../../contract/index.ts";
import { merchantForStores } from "../stores/open-store.ts";
import { AREA, holdSet } from "./set-kind.ts";

const MOST = 200;

/** 区域经理选项: the merchant's area managers, whichever areas they have. */
export const listAreaManagersRoute = implement(listAreaManagers, async (ctx) => {
  const merchant = await merchantForStores(ctx, ctx.tx, undefined);
  return ctx.tx
    .selectFrom("users")
    .select(["id", "login", "first_name as name"])
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.id)
    .where("role", "=", "ROLE_Area")
    .orderBy("login")
    .limit(MOST)
    .execute();
});

/** 设置区域经理. Whoever would be left without any area keeps this one: a manager without areas sees nothing. */
export const setAreaManagersRoute = implement(setAreaManagers, async (ctx, { id, userIds }) => {
  const { tx, services } = ctx;
  const merchant = await merchantForStores(ctx, tx, undefined);
  const area = await holdSet(tx, ctx.scope, AREA, id);
  const people = await tx
    .selectFrom("users as u")
    .select(["u.id", "u.first_name"])
    .select(({ selectFrom }) =>
      selectFrom("user_areas as a")
        .select(({ fn }) => fn.agg<string[]>("array_agg", ["a.area_id"]).as("ids"))
        .whereRef("a.user_id", "=", "u.id")
        .as("areas"),
    )
    .where("u.service_provider_id", "=", merchant.service_provider_id)
    .where("u.merchant_id", "=", merchant.id)
    .where("u.role", "=", "ROLE_Area")
    .orderBy("u.id")
    .execute();
  const wanted = new Set(userIds);
  if (people.filter((one) => wanted.has(one.id)).length !== wanted.size) throw notFound("区域经理");
  let changed = 0;
  for (const one of people) {
    const areas = one.areas ?? [];
    if (areas.includes(id) === wanted.has(one.id)) continue;
    const areaIds = wanted.has(one.id) ? [...areas, id] : areas.filter((other) => other !== id);
    if (areaIds.length === 0) throw conflict(`「${one.first_name}」只管理这一个区域，请先给他别的区域，或在子账号里停用他`);
    await updateUser(tx, services, one.id, { areaIds });
    changed++;
  }
  ctx.note({
    targetKind: "area",
    targetId: id,
    after: { name: area.name, userIds, changed },
    provider: area.service_provider_id,
    merchant: area.merchant_id,
  });
  return { ok: true as const, changed };
});
