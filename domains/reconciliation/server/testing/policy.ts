import { levelFilters, levelTargets, listOf, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import type { BillFileFact, DayFact, DifferenceFact, StoreDayFact } from "./plant.ts";
import type { Place } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  AE,
  amongBody,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  targetsOf,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { billFacts, STORE_DAYS, storeDayFacts } from "./plant.ts";

const days =
  (state?: DayFact["state"]) =>
  (world: HttpWorld): readonly DayFact[] =>
    world.of(billFacts).days.filter((one) => state === undefined || one.state === state);
const differences =
  (...what: readonly DifferenceFact["what"][]) =>
  (world: HttpWorld): readonly DifferenceFact[] =>
    world.of(billFacts).differences.filter((one) => what.length === 0 || what.includes(one.what));
/** Of the first merchant of each provider, of which its sample is too: another one's does not fit its partner. */
const firstOf = (what: DifferenceFact["what"]) => (world: HttpWorld) =>
  differences(what)(world).filter(({ merchant }) => merchant === "mch01" || merchant === "mch02");
const files =
  (status?: BillFileFact["status"]) =>
  (world: HttpWorld): readonly BillFileFact[] =>
    world.of(billFacts).files.filter((one) => status === undefined || one.status === status);
const at = <F extends Place & { readonly id: string }>(facts: (world: HttpWorld) => readonly F[]): Slot["targets"] =>
  targetsOf(facts as never);
const all = { query: { pageSize: "100" } };
const requestId = "01a1f71c-7600-7000-8000-000000000001";
const levels = levelFilters(["serviceProviderId", "merchantId"]);
/** Providers name a merchant; a merchant is its own. */
const ofMerchant =
  (more: object, where: "query" | "body"): Policy["sample"] =>
  (world, caller) => {
    const own = withOwn(days("ready"), ({ merchantId }) => ({ [where]: { merchantId, ...more } }));
    return own(world, caller);
  };
const merchantSlot = (put: (name: string) => Slot["put"]): Slot => slot("merchantId", put("merchantId"), levelTargets("merchantId"));
const WHO = [...ADMIN, ...SP, ...MCH];
const ACT = [...SP, ...MCH];
/** Stores with their days; the platform's own people see none of them. */
const IN_STORES = [...SP, ...MCH, ...AE];
const storesOf = (world: HttpWorld): readonly StoreDayFact[] => world.of(storeDayFacts);
const ofStore = (more: object, where: "query" | "body") => withOwn(storesOf, ({ id }) => ({ [where]: { storeId: id, ...more } }));
const storeSlot = (put: (name: string) => Slot["put"]): Slot => slot("storeId", put("storeId"), targetsOf(storesOf as never));
const bill = { source: "wechat", type: "SUCCESS", day: "2026-11-18" };

export const reconciliationPolicies: readonly Policy[] = [
  policy("GET /api/reconciliation/days", WHO, { sample: () => all, slots: levels, model: listOf(days()) }),
  policy("GET /api/reconciliation/days/summary", WHO, {
    slots: levels,
    model: model<DayFact>({
      facts: days(),
      shown: (body) => sum((body as { perState: { count: number }[] }).perState, (one) => one.count),
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/reconciliation/days/:id", WHO, {
    sample: withOwn(days(), ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), at(days()))],
  }),
  policy("GET /api/reconciliation/month", WHO, {
    sample: ofMerchant({ source: "wechat", month: "2026-11" }, "query"),
    slots: [merchantSlot(inQuery)],
  }),
  policy("POST /api/reconciliation/days/close", ACT, {
    sample: withOwn(days("ready"), ({ id }) => ({ body: { requestId, id, version: 0 } })),
    slots: [slot("id", inBody("id"), at(days("ready")))],
  }),
  policy("POST /api/reconciliation/days/reopen", ACT, {
    sample: withOwn(days("closed"), ({ id }) => ({ body: { id, reason: "补账单" } })),
    slots: [slot("id", inBody("id"), at(days("closed")))],
  }),
  policy("POST /api/reconciliation/days/rematch", ACT, {
    sample: withOwn(days("ready"), ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), at(days("ready")))],
  }),
  policy("POST /api/reconciliation/days/retake", ACT, {
    sample: withOwn(days("partial"), ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), at(days("partial")))],
  }),
  policy("GET /api/reconciliation/settings", ACT, { sample: ofMerchant({ source: "wechat" }, "query"), slots: [merchantSlot(inQuery)] }),
  policy("POST /api/reconciliation/settings/set", ACT, {
    sample: ofMerchant({ source: "wechat", version: 0, daily: false, feeToleranceCents: 0 }, "body"),
    slots: [merchantSlot(inBody)],
  }),
  policy("GET /api/reconciliation/bills", WHO, { sample: () => all, slots: levels, model: listOf(files()) }),
  policy("POST /api/reconciliation/bills/fetch", ACT, {
    sample: ofMerchant({ requestId, ...bill }, "body"),
    slots: [merchantSlot(inBody)],
  }),
  policy("POST /api/reconciliation/bills/upload", ACT, {
    sample: ofMerchant({ requestId, ...bill, fileName: "账单.csv", sizeBytes: 3 }, "body"),
    slots: [merchantSlot(inBody)],
  }),
  policy("POST /api/reconciliation/bills/piece", ACT, {
    sample: withOwn(files("uploading"), ({ id }) => ({ body: { id, place: 0, base64: "AAAA" } })),
    slots: [slot("id", inBody("id"), at(files("uploading")))],
  }),
  policy("POST /api/reconciliation/bills/finish", ACT, {
    sample: withOwn(files("uploaded"), ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), at(files("uploaded")))],
  }),
  policy("POST /api/reconciliation/bills/cancel", ACT, {
    sample: withOwn(files("uploading"), ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), at(files("uploading")))],
  }),
  policy("GET /api/reconciliation/differences", WHO, { sample: () => all, slots: levels, model: listOf(differences()) }),
  policy("GET /api/reconciliation/differences/summary", WHO, {
    slots: levels,
    model: model<DifferenceFact>({
      facts: differences(),
      shown: (body) => sum((body as { perClass: { count: number }[] }).perClass, (one) => one.count),
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/reconciliation/differences/:id", WHO, {
    sample: withOwn(differences(), ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), at(differences()))],
  }),
  policy("POST /api/reconciliation/differences/repair", ACT, {
    keeps: true,
    sample: withOwn(differences("theirs"), ({ id }) => ({ body: { ids: [id] } })),
    slots: [slot("ids", amongBody("ids"), at(differences("proposed")))],
  }),
  policy("POST /api/reconciliation/differences/write-off", ACT, {
    sample: withOwn(differences("ours"), ({ id }) => ({ body: { requestId, ids: [id], reason: "已补差价" } })),
    slots: [slot("ids", amongBody("ids"), at(differences("theirs")))],
  }),
  policy("POST /api/reconciliation/differences/decide", ACT, {
    sample: withOwn(differences("proposed"), ({ id }) => ({ body: { requestId, ids: [id], approve: true } })),
    slots: [slot("ids", amongBody("ids"), at(differences("proposed")))],
  }),
  policy("POST /api/reconciliation/differences/link", ACT, {
    sample: (world, caller) => {
      const own = withOwn(differences("ours"), ({ id, merchant }) => ({
        body: { requestId, id, otherId: differences("theirs")(world).find((one) => one.merchant === merchant)!.id, reason: "同一笔" },
      }));
      return own(world, caller);
    },
    slots: [slot("id", inBody("id"), at(firstOf("ours"))), slot("otherId", inBody("otherId"), at(firstOf("theirs")))],
  }),
  policy("POST /api/reconciliation/differences/unknown", ACT, {
    sample: withOwn(differences("theirs"), ({ id }) => ({ body: { requestId, ids: [id], looker: "王会计" } })),
    slots: [slot("ids", amongBody("ids"), at(differences("theirs")))],
  }),
  policy("POST /api/reconciliation/differences/reopen", ACT, {
    sample: withOwn(differences("resolved"), ({ id }) => ({ body: { id, reason: "查错了" } })),
    slots: [slot("id", inBody("id"), at(differences("resolved")))],
  }),
  policy("GET /api/reconciliation/store-days", IN_STORES, {
    sample: () => ({ query: { day: STORE_DAYS.closed, pageSize: "100" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(storesOf),
  }),
  policy("GET /api/reconciliation/store-days/summary", IN_STORES, {
    sample: () => ({ query: { day: STORE_DAYS.closed } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: model<StoreDayFact>({
      facts: storesOf,
      shown: (body) => sum((body as { perState: { count: number }[] }).perState, (one) => one.count),
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/reconciliation/store-days/month", IN_STORES, {
    sample: ofStore({ month: "2026-01" }, "query"),
    slots: [storeSlot(inQuery)],
  }),
  policy("GET /api/reconciliation/store-day", IN_STORES, {
    sample: ofStore({ day: STORE_DAYS.closed }, "query"),
    slots: [storeSlot(inQuery)],
  }),
  policy("POST /api/reconciliation/store-days/propose", IN_STORES, {
    sample: ofStore({ requestId, day: STORE_DAYS.open, seen: {} }, "body"),
    slots: [storeSlot(inBody)],
  }),
  policy("POST /api/reconciliation/store-days/close", IN_STORES, {
    sample: ofStore({ requestId, day: STORE_DAYS.proposed, version: 1, seen: {} }, "body"),
    slots: [storeSlot(inBody)],
  }),
  policy("POST /api/reconciliation/store-days/withdraw", IN_STORES, {
    sample: ofStore({ day: STORE_DAYS.withdrawn, version: 1 }, "body"),
    slots: [storeSlot(inBody)],
  }),
  policy("POST /api/reconciliation/store-days/reopen", ACT, {
    sample: ofStore({ day: STORE_DAYS.closed, version: 1, reason: "补退款" }, "body"),
    slots: [storeSlot(inBody)],
  }),
];
