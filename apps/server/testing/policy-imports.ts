import { IMPORTERS } from "./open-accounts.ts";
import { inBody, inPath, inQuery, type Policy, policy, type Slot, slot } from "./policy.ts";
import type { HttpWorld, ImportsOf } from "./world.ts";
import type { Login } from "./people.ts";

const ofState =
  (state: keyof ImportsOf): Slot["targets"] =>
  (world) =>
    IMPORTERS.map((user) => ({ id: world.imports.get(user)![state], place: { user } }));
const own = (world: HttpWorld, caller: string, state: keyof ImportsOf = "resting"): string =>
  world.imports.get(caller as Login)?.[state] ?? "";
const source = () => ({ query: { source: "merchants" } });
const onImport = (verb: string, state: keyof ImportsOf = "resting", body: object = {}): Policy =>
  policy(`POST /api/imports/${verb}`, "signed-in", {
    sample: (world, caller) => ({ body: { id: own(world, caller, state), ...body } }),
    slots: [slot("id", inBody("id"), ofState(state))],
  });
const cells = JSON.stringify({ name: "成都旧茶", shortName: "旧茶", contactName: "文旧", contactPhone: "13912345678", login: "sheet-old" });

/** Everybody works on their own imports alone, whatever they may see of what was imported. */
export const importPolicies: readonly Policy[] = [
  policy("GET /api/imports/source", IMPORTERS, { sample: source }),
  policy("GET /api/imports/template", IMPORTERS, { sample: source, envelope: "file" }),
  policy("POST /api/imports", IMPORTERS, {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), source: "merchants", fileName: "商户.xlsx" },
    }),
  }),
  policy("GET /api/imports/:id", "signed-in", {
    sample: (world, caller) => ({ params: { id: own(world, caller) } }),
    slots: [slot("id", inPath("id"), ofState("resting"))],
  }),
  policy("GET /api/imports/rows", "signed-in", {
    sample: (world, caller) => ({ query: { importId: own(world, caller) } }),
    slots: [slot("importId", inQuery("importId"), ofState("resting"))],
  }),
  policy("GET /api/imports/bad-lines", "signed-in", {
    envelope: "file",
    sample: (world, caller) => ({ query: { id: own(world, caller) } }),
    slots: [slot("id", inQuery("id"), ofState("resting"))],
  }),
  onImport("lines", "resting", { lines: [{ line: 9, cells }] }),
  onImport("recheck"),
  onImport("run"),
  onImport("stop", "running"),
  onImport("passwords"),
];
