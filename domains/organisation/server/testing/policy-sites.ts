import { levelFilters } from "../../../../apps/server/testing/matrix/facts.ts";
import { ADMIN, type Policy, policy, slot, SP, inBody, inPath } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { siteFacts } from "./plant-sites.ts";

const HOST = { sp01: "hemu.example.com", sp02: "yunan.example.com" } as const;
const OPERATORS = [...ADMIN, ...SP];
const CONTENT = { title: "官网", tagline: "", bannerUrl: null, sections: [], phone: "", email: "", address: "", icpNumber: "" };
/** The site of each provider. */
const sites = (world: HttpWorld) =>
  (["sp01", "sp02"] as const).map((provider) => ({ id: world.of(siteFacts)[provider], place: { provider } }));
const own = (world: HttpWorld, caller: string): string => world.of(siteFacts)[caller === "sp02" ? "sp02" : "sp01"];
const idSlot = [slot("id", inBody("id"), sites)];

export const sitePolicies: readonly Policy[] = [
  policy("GET /api/organisation/sites", OPERATORS, {
    slots: levelFilters(["serviceProviderId"]),
    noModel: "other cells add and publish sites meanwhile; each id is a slot",
  }),
  policy("GET /api/organisation/sites/:id", OPERATORS, {
    sample: (world, caller) => ({ params: { id: own(world, caller) } }),
    slots: [slot("id", inPath("id"), sites)],
  }),
  policy("GET /api/organisation/site-hosts", OPERATORS),
  policy("POST /api/organisation/sites/add", OPERATORS, {
    sample: ({ services }, caller) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        host: `www.${HOST[caller === "sp02" ? "sp02" : "sp01"]}`,
        atRoot: false,
        content: CONTENT,
      },
    }),
  }),
  policy("POST /api/organisation/sites/update", OPERATORS, {
    sample: (world, caller) => ({ body: { id: own(world, caller), version: 1, atRoot: false, content: CONTENT } }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/sites/publish", OPERATORS, {
    sample: (world, caller) => ({ body: { id: own(world, caller), version: 1, published: true } }),
    slots: idSlot,
  }),
  // What is published at a host is for everybody; in this world nothing is.
  policy("GET /site", "public", { envelope: "plain", ok: 404 }),
  policy("GET /site.css", "public", { envelope: "plain" }),
];
