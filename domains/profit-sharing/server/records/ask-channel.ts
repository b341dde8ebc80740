import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  type Outcome,
  type Shared,
  type ShareOrder,
  type ShareReturned,
  type ShareReturnOrder,
  sharingChannelOf,
} from "../../../channels/server/index.ts";
import { accountOf, beginCall, endCall } from "../sharing-calls.ts";
import { type LineRow, linesOf, type Ref, saidOf, walletOf } from "../rows.ts";
import { askedOf, type Kind, lockSubject, namedBy, numberOf } from "./subject.ts";

const SCOPE = platformScope("ask what became of it");
/** What the channel says of a number: nothing that counts, that it is on its way, or how it ended. */
export type Answer =
  | { readonly kind: "none" | "processing" }
  | { readonly kind: "share"; readonly news: Shared; readonly lines: readonly LineRow[] }
  | { readonly kind: "return"; readonly news: ShareReturned };

/** Asks the channel and changes nothing: whoever needs to know it before people's word counts, and after. */
export async function askChannel(services: Services, kind: Kind, ref: Ref, channel_try: number): Promise<Answer> {
  const begun = await withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockSubject(tx, kind, ref);
    const account = found && (await accountOf(tx, services, found.order, walletOf(found.order)));
    if (!found || !account) return undefined;
    const asked = await askedOf(tx, services, found, channel_try);
    const lines = found.kind === "share" ? await linesOf(tx, { ...found.row, channel_try }) : [];
    const { service_provider_id, merchant_id, id } = found.row;
    const about = { service_provider_id, merchant_id, ...namedBy(kind, id) };
    const operation = kind === "share" ? "query-share" : "query-return";
    const call = await beginCall(tx, services, about, operation, numberOf(found, channel_try));
    return { account, asked, lines, call, unfreezes: found.kind === "share" && found.row.kind === "unfreeze" };
  });
  if (!begun) return { kind: "none" };
  const channel = sharingChannelOf(services);
  const outcome: Outcome<Shared | ShareReturned> =
    kind === "share"
      ? await channel.queryShare(begun.account, begun.asked as ShareOrder)
      : await channel.queryReturn(begun.account, begun.asked as ShareReturnOrder);
  await withScope(services.pool, SCOPE, (tx) => endCall(tx, services, begun.call, outcome));
  if (outcome.kind !== "ok") return { kind: "none" };
  if ("result" in outcome.value)
    return outcome.value.result === "processing" ? { kind: "processing" } : { kind: "return", news: outcome.value };
  const news = outcome.value;
  if (!news.finished) return { kind: "processing" };
  // An answer that names receivers otherwise than they were asked for is none: that is what people are for.
  if (!begun.unfreezes && begun.lines.some((line) => saidOf(line, news) === undefined)) return { kind: "none" };
  return { kind: "share", news, lines: begun.lines };
}
