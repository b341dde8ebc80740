import { levelFilters, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, type Login } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  inBody,
  inPath,
  inQuery,
  model,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  type Target,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

const GROUPS = [
  ["group01", "sp01"],
  ["group02", "sp01"],
] as const;
const TEAMS = [
  ["team01", "group01", "sp01"],
  ["team02", "group02", "sp01"],
  ["team03", undefined, "sp02"],
] as const;
const groups = ({ till: { tree } }: HttpWorld) =>
  GROUPS.map(([name, provider]) => ({ id: tree.groups[name], name, provider, serviceProviderId: tree.providers[provider] }));
const teams = ({ till: { tree } }: HttpWorld) =>
  TEAMS.map(([name, group, provider]) => ({
    id: tree.teams[name],
    name,
    group,
    provider,
    serviceProviderId: tree.providers[provider],
    businessGroupId: group ? tree.groups[group] : null,
  }));
/** Each stands under the name of its root account. */
const targetsOf =
  (facts: (world: HttpWorld) => readonly { id: string; name: string; provider: "sp01" | "sp02" }[]): Slot["targets"] =>
  (world) =>
    facts(world).map(({ id, name, provider }) => ({ id, place: { provider, user: name } }));
const seesGroup = (caller: Caller, { name, provider }: { name: string; provider: string }): boolean =>
  ["admin", name, provider].includes(caller);
const seesTeam = (caller: Caller, { name, group, provider }: { name: string; group: string | undefined; provider: string }): boolean =>
  ["admin", name, group, provider].includes(caller);
const groupSeen = (caller: Caller, { place: { user = "", provider } }: Target): boolean =>
  seesGroup(caller, { name: user, provider: provider ?? "" });
const teamSeen = (caller: Caller, { place: { user = "", provider } }: Target): boolean =>
  seesTeam(caller, { name: user, group: TEAMS.find(([name]) => name === user)?.[1], provider: provider ?? "" });
const groupId = (put: Slot["put"]): Slot => slot("id", put, targetsOf(groups), { sees: groupSeen });
const teamId = (put: Slot["put"], more: Partial<Omit<Slot, "seen">> = {}): Slot =>
  slot("id", put, targetsOf(teams), { sees: teamSeen, ...more });
const ownGroup =
  (given: (id: string) => ReturnType<Policy["sample"]>): Policy["sample"] =>
  (world, caller) => {
    const found = groups(world).find((one) => seesGroup(caller, one));
    return found && given(found.id);
  };
const ownTeam =
  (given: (id: string, world: HttpWorld) => ReturnType<Policy["sample"]>): Policy["sample"] =>
  (world, caller) => {
    const found = teams(world).find((one) => seesTeam(caller, one));
    return found && given(found.id, world);
  };
const named =
  (more: object = {}): Policy["sample"] =>
  ({ services }) => ({
    body: {
      requestId: services.ids.uuid(services.clock.now_ms()),
      name: "新设",
      leader: "文新",
      login: `new-${services.ids.digits(12)}`,
      ...more,
    },
  });
const OPERATORS = [...ADMIN, ...SP];
const WITH_GROUPS: readonly Login[] = [...OPERATORS, "group01"];

export const teamPolicies: readonly Policy[] = [
  policy("GET /api/organisation/groups", OPERATORS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf(groups, seesGroup),
  }),
  policy("GET /api/organisation/groups/summary", OPERATORS, {
    slots: levelFilters(["serviceProviderId"]),
    model: model<ReturnType<typeof groups>[number]>({
      facts: groups,
      sees: seesGroup,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/organisation/groups/:id", OPERATORS, {
    sample: ownGroup((id) => ({ params: { id } })),
    slots: [groupId(inPath("id"))],
  }),
  policy("POST /api/organisation/groups/add", SP, { sample: named() }),
  policy("POST /api/organisation/groups/update", OPERATORS, {
    sample: ownGroup((id) => ({ body: { id, version: 1, name: "改名集团" } })),
    slots: [groupId(inBody("id"))],
  }),
  policy("POST /api/organisation/groups/state", OPERATORS, {
    sample: ownGroup((id) => ({ body: { id, state: "disabled" } })),
    slots: [groupId(inBody("id"))],
  }),
  policy("GET /api/organisation/teams", WITH_GROUPS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: [
      ...levelFilters(["serviceProviderId"]),
      slot("businessGroupId", inQuery("businessGroupId"), targetsOf(groups), { unseen: 200, sees: () => true }),
    ],
    model: listOf(teams, seesTeam),
  }),
  policy("GET /api/organisation/teams/summary", WITH_GROUPS, {
    slots: levelFilters(["serviceProviderId"]),
    model: model<ReturnType<typeof teams>[number]>({
      facts: teams,
      sees: seesTeam,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/organisation/teams/groups", WITH_GROUPS, {
    sample: ({ till }) => ({ query: { serviceProviderId: till.tree.providers.sp01 } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf(groups, seesGroup),
  }),
  policy("GET /api/organisation/teams/:id", WITH_GROUPS, {
    sample: ownTeam((id) => ({ params: { id } })),
    slots: [teamId(inPath("id"))],
  }),
  policy("POST /api/organisation/teams/add", [...SP, "group01"], {
    sample: named(),
    slots: [slot("businessGroupId", inBody("businessGroupId"), targetsOf(groups), { unseen: 400, sees: groupSeen })],
  }),
  policy("POST /api/organisation/teams/update", WITH_GROUPS, {
    sample: ownTeam((id) => ({ body: { id, version: 1, name: "改名团队" } })),
    slots: [teamId(inBody("id"))],
  }),
  policy("POST /api/organisation/teams/move", OPERATORS, {
    sample: (world, caller) =>
      caller === "sp02" ? undefined : { body: { id: world.till.tree.teams.team01, version: 1, businessGroupId: null } },
    slots: [
      // Of the second provider's team nobody has a group to take away.
      teamId(inBody("id"), { targets: (world) => targetsOf(teams)(world).filter(({ place }) => place.provider === "sp01") }),
      slot("businessGroupId", inBody("businessGroupId"), (world) => targetsOf(groups)(world).slice(1), {
        base: (world, caller) =>
          caller === "sp01" || caller === "admin" ? { body: { id: world.till.tree.teams.team01, version: 1 } } : undefined,
        unseen: 400,
        sees: groupSeen,
      }),
    ],
  }),
  policy("POST /api/organisation/teams/state", WITH_GROUPS, {
    sample: ownTeam((id) => ({ body: { id, state: "disabled" } })),
    slots: [teamId(inBody("id"))],
  }),
];
