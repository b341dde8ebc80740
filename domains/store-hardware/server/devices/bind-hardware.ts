import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { bindPrinter, bindSpeaker } from "../../contract/index.ts";
import { vendorsOf } from "../vendors/open-vendor.ts";
import type { Outcome } from "../vendors/vendor.ts";
import { addPrinter, addSpeaker, type HardwarePlace } from "./add-hardware.ts";
import { findPlace, refuseBound } from "./find-hardware.ts";

const placeOf = (ctx: Ctx, storeId: string): Promise<HardwarePlace> =>
  ctx.transaction((tx) => findPlace(tx, ctx.scope, storeId), { readOnly: true });

/**
 * 绑定云打印机: the maker is asked before anything is written here, because it alone knows whether number and key fit. Where
 * its answer is lost nothing is bound; asking again is safe.
 */
export const bindPrinterRoute = implement(bindPrinter, async (ctx, { storeId, ...given }) => {
  const place = await placeOf(ctx, storeId);
  await refuseBound(ctx, given.vendor, given.sn);
  const printer = await vendorsOf(ctx.services).printer(given.vendor);
  accepted(await printer.bind(given));
  return ctx.transaction(async (tx) => {
    const id = await addPrinter(tx, ctx.services, place, given);
    const { key, ...told } = given;
    await ctx.audit(tx, { targetKind: "store-hardware", targetId: id, after: { storeId, ...told, keyTail: key.slice(-4) } });
    return { id };
  });
});

/** 绑定云喇叭: as a printer; the store is the user that the maker binds it to. */
export const bindSpeakerRoute = implement(bindSpeaker, async (ctx, { storeId, ...given }) => {
  const place = await placeOf(ctx, storeId);
  await refuseBound(ctx, "borui", given.sn);
  const speaker = await vendorsOf(ctx.services).speaker();
  accepted(await speaker.bind({ ...given, user: storeId.replaceAll("-", "") }));
  return ctx.transaction(async (tx) => {
    const id = await addSpeaker(tx, ctx.services, place, given);
    await ctx.audit(tx, { targetKind: "store-hardware", targetId: id, after: { storeId, ...given } });
    return { id };
  });
});

function accepted(outcome: Outcome<null>): void {
  if (outcome.kind === "refused") throw invalid("sn", outcome.message);
  if (outcome.kind === "unknown") throw conflict(`没有绑定：${outcome.message}，请稍后再试`, "vendor.silent");
}
