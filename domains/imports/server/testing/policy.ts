import {
  MCH,
  type Given,
  inBody,
  inPath,
  inQuery,
  type Policy,
  policy,
  type Slot,
  slot,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { Login } from "../../../../apps/server/testing/matrix/people.ts";
import { IMPORTERS, importsByLogin, type ImportsOf } from "./plant.ts";

const ofState =
  (state: keyof ImportsOf): Slot["targets"] =>
  (world) =>
    IMPORTERS.map((user) => ({ id: world.of(importsByLogin).get(user)![state], place: { user } }));
/** A request about the caller's own import; who has none gives no sample. */
const withOwn =
  (given: (id: string) => Given, state: keyof ImportsOf = "resting"): Policy["sample"] =>
  (world, caller) => {
    const own = world.of(importsByLogin).get(caller as Login);
    return own && given(own[state]);
  };
const source = () => ({ query: { source: "merchants" } });
const onImport = (verb: string, state: keyof ImportsOf = "resting", body: object = {}): Policy =>
  policy(`POST /api/imports/${verb}`, "signed-in", {
    sample: withOwn((id) => ({ body: { id, ...body } }), state),
    slots: [slot("id", inBody("id"), ofState(state))],
  });
const cells = JSON.stringify({ name: "成都旧茶", shortName: "旧茶", contactName: "文旧", contactPhone: "13912345678", login: "sheet-old" });

/** Everybody works on their own imports alone, whatever they may see of what was imported. */
export const importPolicies: readonly Policy[] = [
  policy("GET /api/imports/columns", MCH, {
    sample: () => ({ query: { source: "takeaway-orders", of: "饿了么" } }),
    noModel: "how the caller's own merchant reads a sheet",
  }),
  policy("POST /api/imports/columns", MCH, {
    sample: () => ({ body: { source: "takeaway-orders", of: "饿了么", headings: { platformOrderId: "订单号" } } }),
  }),
  policy("GET /api/imports/source", IMPORTERS, { sample: source }),
  policy("GET /api/imports/template", IMPORTERS, { sample: source, envelope: "file" }),
  policy("POST /api/imports", IMPORTERS, {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), source: "merchants", fileName: "商户.xlsx" },
    }),
  }),
  policy("GET /api/imports/:id", "signed-in", {
    sample: withOwn((id) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), ofState("resting"))],
  }),
  policy("GET /api/imports/rows", "signed-in", {
    noModel: "the lines of one import, which is a slot",
    sample: withOwn((importId) => ({ query: { importId } })),
    slots: [slot("importId", inQuery("importId"), ofState("resting"))],
  }),
  policy("GET /api/imports/bad-lines", "signed-in", {
    envelope: "file",
    sample: withOwn((id) => ({ query: { id } })),
    slots: [slot("id", inQuery("id"), ofState("resting"))],
  }),
  onImport("lines", "resting", { lines: [{ line: 9, cells }] }),
  onImport("recheck"),
  onImport("run"),
  onImport("stop", "running"),
  onImport("passwords"),
];
