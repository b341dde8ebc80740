import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { loginName } from "../merchants/merchant.ts";
import { nodeState } from "../nodes.ts";

/** One business team in the list, with what its merchants brought in this month. */
export const teamRow = z.object({
  id,
  name: z.string(),
  /** Masked. */
  leader: z.string().nullable(),
  serviceProviderId: id,
  serviceProviderName: z.string(),
  /** None for a team of the provider's own. */
  businessGroupId: id.nullable(),
  groupName: z.string().nullable(),
  salesmanCount: z.int(),
  merchantCount: z.int(),
  /** Of this month by the attribution of the moment. */
  monthPaidCents: cents,
  state: oneOf(nodeState),
  createdAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});

export const teamFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  businessGroupId: id.optional(),
  /** A part of the name. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
};
export const listTeams = read({
  path: "/api/organisation/teams",
  title: "业务团队",
  access: "/businessGroup/businessTeam",
  input: listInput(teamFilter, ["-createdAt", "createdAt"]),
  output: listOutput(teamRow),
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseTeams = read({
  path: "/api/organisation/teams/summary",
  title: "业务团队合计",
  access: "/businessGroup/businessTeam",
  input: z.object(teamFilter),
  output: z.object({ count: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
export const getTeam = read({
  path: "/api/organisation/teams/:id",
  title: "业务团队详情",
  access: "/businessGroup/businessTeam",
  input: z.object({ id }),
  output: teamRow.extend({
    version: z.int(),
    /** Accounts of the team and its salesmen, and where they are signed in: whom a closing puts out. */
    accountCount: z.int(),
    sessionCount: z.int(),
    /** By name. */
    salesmen: z.array(z.object({ id, name: z.string(), state: oneOf(nodeState), merchantCount: z.int() })),
  }),
});
/** Open groups of a provider, as far as the caller sees them. */
export const listGroupChoices = read({
  path: "/api/organisation/teams/groups",
  title: "业务集团选项",
  access: "/businessGroup/businessTeam",
  input: z.object({ serviceProviderId: id.optional() }),
  output: z.object({ items: z.array(z.object({ id, name: z.string() })) }),
});

const name = line(64, 1, "请填写团队名称");
const leader = line(32, 1, "请填写负责人");
/** Adds a team with its first account, to a group or to none. The one-time password stands in the first answer only. */
export const addTeamAccount = write({
  path: "/api/organisation/teams/add",
  title: "新建业务团队",
  access: "/businessGroup/businessTeam/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: z.object({
    requestId: id,
    name,
    leader,
    /** A group adds to itself. */
    businessGroupId: id.optional(),
    login: loginName,
  }),
  output: z.object({ id, login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});
/** A leader who is left out stays: the form shows the name masked. */
export const updateTeam = write({
  path: "/api/organisation/teams/update",
  title: "修改业务团队",
  access: "/businessGroup/businessTeam/edit",
  input: z.object({ id, version: z.int(), name, leader: leader.optional() }),
  output: done,
});
/** Moves a team to another group or to none, with its salesmen and merchants; money facts keep the group they were made with. */
export const moveTeam = write({
  path: "/api/organisation/teams/move",
  title: "团队转移集团",
  access: "/businessGroup/businessTeam/move",
  input: z.object({ id, version: z.int(), businessGroupId: id.nullable() }),
  output: z.object({ merchantCount: z.int(), salesmanCount: z.int() }),
});
/** Closing ends the sessions of the team and its salesmen in the same transaction; merchants stay as they are. */
export const setTeamState = write({
  path: "/api/organisation/teams/state",
  title: "启用或停用业务团队",
  access: "/businessGroup/businessTeam/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
