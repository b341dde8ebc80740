import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { loginName } from "../merchants/merchant.ts";
import { nodeState } from "../nodes.ts";

/** One business group in the list, with what its teams' merchants brought in this month. */
export const groupRow = z.object({
  id,
  name: z.string(),
  /** Masked. */
  leader: z.string().nullable(),
  serviceProviderId: id,
  serviceProviderName: z.string(),
  teamCount: z.int(),
  merchantCount: z.int(),
  /** Of this month by the attribution of the moment. */
  monthPaidCents: cents,
  state: oneOf(nodeState),
  createdAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});

export const groupFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  /** A part of the name. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
};
export const listGroups = read({
  path: "/api/organisation/groups",
  title: "业务集团",
  access: "/businessGroup/businessGroup",
  input: listInput(groupFilter, ["-createdAt", "createdAt"]),
  output: listOutput(groupRow),
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseGroups = read({
  path: "/api/organisation/groups/summary",
  title: "业务集团合计",
  access: "/businessGroup/businessGroup",
  input: z.object(groupFilter),
  output: z.object({ count: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
export const getGroup = read({
  path: "/api/organisation/groups/:id",
  title: "业务集团详情",
  access: "/businessGroup/businessGroup",
  input: z.object({ id }),
  output: groupRow.extend({
    version: z.int(),
    salesmanCount: z.int(),
    /** Accounts of the group, its teams and salesmen, and where they are signed in: whom a closing puts out. */
    accountCount: z.int(),
    sessionCount: z.int(),
    /** By name. */
    teams: z.array(z.object({ id, name: z.string(), state: oneOf(nodeState), merchantCount: z.int() })),
  }),
});

const name = line(64, 1, "请填写集团名称");
const leader = line(32, 1, "请填写负责人");
/** Adds a group with its first account. The one-time password stands in the first answer only. */
export const addGroupAccount = write({
  path: "/api/organisation/groups/add",
  title: "新建业务集团",
  access: "/businessGroup/businessGroup/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: z.object({ requestId: id, name, leader, login: loginName }),
  output: z.object({ id, login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});
/** A leader who is left out stays: the form shows the name masked. */
export const updateGroup = write({
  path: "/api/organisation/groups/update",
  title: "修改业务集团",
  access: "/businessGroup/businessGroup/edit",
  input: z.object({ id, version: z.int(), name, leader: leader.optional() }),
  output: done,
});
/** Closing ends the sessions of the group, its teams and their salesmen in the same transaction; merchants stay as they are. */
export const setGroupState = write({
  path: "/api/organisation/groups/state",
  title: "启用或停用业务集团",
  access: "/businessGroup/businessGroup/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
