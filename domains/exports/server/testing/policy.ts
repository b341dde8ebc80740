import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Login, LOGINS, type Place } from "../../../../apps/server/testing/matrix/people.ts";
import { inBody, type Policy, policy, type Slot, slot } from "../../../../apps/server/testing/matrix/policy.ts";
import { exportsByLogin, type ExportsOf } from "./plant.ts";

const exportsIn =
  (state: keyof ExportsOf): Slot["targets"] =>
  (world) =>
    LOGINS.map((user) => ({ id: world.of(exportsByLogin).get(user)![state], place: { user } }));
const ownExport =
  (state: keyof ExportsOf): Policy["sample"] =>
  (world, caller) => ({ body: { id: world.of(exportsByLogin).get(caller as Login)?.[state] ?? "" } });
const onExport = (verb: string, state: keyof ExportsOf): Policy =>
  policy(`POST /api/exports/${verb}`, "signed-in", { sample: ownExport(state), slots: [slot("id", inBody("id"), exportsIn(state))] });
export const exportPolicies: readonly Policy[] = [
  policy("GET /api/exports", "signed-in", {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<Place & { readonly id: string }>((world) =>
      LOGINS.flatMap((user) => Object.values(world.of(exportsByLogin).get(user)!).map((id) => ({ id, user }))),
    ),
  }),
  policy("POST /api/exports", "signed-in", {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), source: "pay-orders", filter: {}, format: "csv" },
    }),
    // Whatever the filter names, the file holds what its owner sees of it: see the test of the files themselves.
    slots: [
      slot(
        "filter.merchantId",
        (given, merchantId) => ({ body: { ...(given.body as object), filter: { merchantId } } }),
        levelTargets("merchantId"),
        { unseen: 200, sees: () => true },
      ),
    ],
  }),
  onExport("cancel", "waiting"),
  onExport("retry", "failed"),
  onExport("remove", "ready"),
  onExport("link", "ready"),
  policy("GET /api/exports/file", "public", {
    envelope: "file",
    writes: true,
    ok: 410,
    sample: () => ({ query: { ticket: "A".repeat(43) } }),
  }),
];
