import { implement } from "@zhangfang/server/calls/call.ts";
import { setLevelNames } from "../../contract/index.ts";
import { changeProvider, findProvider } from "./find-provider.ts";

/** 设置层级名称: what the provider's tree reads on its screens from its next login on. */
export const setLevelNamesRoute = implement(setLevelNames, async (ctx, { id, version, levelNames }) => {
  const { level_names: before } = await findProvider(ctx.tx, ctx.scope, id);
  await changeProvider(ctx.tx, id, version, { level_names: JSON.stringify(levelNames) });
  ctx.note({ targetKind: "provider", targetId: id, before: { levelNames: before }, after: { levelNames }, provider: id });
  return { ok: true as const };
});
