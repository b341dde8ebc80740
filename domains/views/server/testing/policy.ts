import { listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  ADMIN,
  AE,
  type Given,
  inBody,
  MCH,
  MIDDLE,
  type Policy,
  policy,
  slot,
  SP,
} from "../../../../apps/server/testing/matrix/policy.ts";
import { type Caller, type Login, LOGINS, type Place } from "../../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { ofPayments, viewsByLogin } from "./plant.ts";

const own = (world: HttpWorld, caller: Caller): string => world.of(viewsByLogin).get(caller as Login) ?? "";
/** Shared ones are shown by views.test.ts: here each is its maker's alone. */
const onView = (verb: string, who: Policy["who"], more: object = {}): Policy =>
  policy(`POST /api/views/${verb}`, who, {
    sample: (world, caller): Given => ({ body: { id: own(world, caller), ...more } }),
    slots: [slot("id", inBody("id"), (world) => LOGINS.map((user) => ({ id: own(world, user), place: { user } })))],
  });
export const viewPolicies: readonly Policy[] = [
  policy("GET /api/views", "signed-in", {
    model: listOf<Place & { readonly id: string }>((world) => LOGINS.map((user) => ({ id: own(world, user), user }))),
  }),
  policy("POST /api/views", "signed-in", {
    sample: ({ services }) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        name: services.ids.uuid(services.clock.now_ms()).slice(-12),
        ...ofPayments,
      },
    }),
  }),
  onView("change", "signed-in", { version: 1, name: "改名" }),
  onView("remove", "signed-in"),
  onView("subscribe", "signed-in", { every: "day", source: "pay-orders", columns: ["orderNo"] }),
  onView("share", [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...AE], { shared: false }),
];
