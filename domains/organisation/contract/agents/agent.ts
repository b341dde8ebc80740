import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, listInput, listOutput, oneOf, rate, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { loginName, phone } from "../merchants/merchant.ts";
import { nodeState } from "../nodes.ts";
import { contractStatus } from "./contract.ts";

/** From which day a new ratio holds. */
export const ratioStart = labelled({ today: "当日生效", tomorrow: "次日生效" });

/** One agent in the list, with what it brought in this month. */
export const agentRow = z.object({
  id,
  name: z.string(),
  region: z.string().nullable(),
  serviceProviderId: id,
  serviceProviderName: z.string(),
  /** Masked. */
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  /** Of today. */
  profitRatio: z.int(),
  merchantCount: z.int(),
  salesmanCount: z.int(),
  /** Of this month by the attribution of the moment: what was paid, and the commission posted so far. */
  monthPaidCents: cents,
  monthCommissionCents: cents,
  state: oneOf(nodeState),
  contractStatus: oneOf(contractStatus),
  /** The last day on which the contract holds; without one it has no end. */
  contractUntil: day.nullable(),
  createdAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});

export const agentFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  /** A part of the name or the region. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
  contract: oneOf(contractStatus).optional(),
};
export const listAgents = read({
  path: "/api/organisation/agents",
  title: "代理商",
  access: "/agent/agent",
  input: listInput(agentFilter, ["-createdAt", "createdAt"]),
  output: listOutput(agentRow),
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseAgents = read({
  path: "/api/organisation/agents/summary",
  title: "代理商合计",
  access: "/agent/agent",
  input: z.object(agentFilter),
  output: z.object({ count: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
export const getAgent = read({
  path: "/api/organisation/agents/:id",
  title: "代理商详情",
  access: "/agent/agent",
  input: z.object({ id }),
  output: agentRow.extend({
    version: z.int(),
    contractFrom: day.nullable(),
    /** Why it was rejected or cancelled. */
    contractWhy: z.string().nullable(),
    /** How high the provider lets a ratio be. */
    ratioLimit: z.int(),
    /** Accounts of the agent and its salesmen, and where they are signed in: whom a closing puts out. */
    accountCount: z.int(),
    sessionCount: z.int(),
    /** Newest first; without a name where it came with the agent itself. */
    ratios: z.array(z.object({ effectiveFrom: day, profitRatio: z.int(), setBy: z.string().nullable(), setAt: instant })),
  }),
});

const facts = { name: line(64, 1, "请填写代理商名称"), region: line(64).optional() };
/** Adds an agent with its first account. The one-time password stands in the first answer only. */
export const addAgentAccount = write({
  path: "/api/organisation/agents/add",
  title: "新建代理商",
  access: "/agent/agent/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: z.object({
    requestId: id,
    ...facts,
    contactName: line(32, 1, "请填写联系人"),
    contactPhone: phone,
    profitRatio: rate,
    login: loginName,
  }),
  output: z.object({ id, login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});
/** Contact fields that are left out stay as they are: the form shows them masked. */
export const updateAgent = write({
  path: "/api/organisation/agents/update",
  title: "修改代理商",
  access: "/agent/agent/edit",
  input: z.object({
    id,
    version: z.int(),
    ...facts,
    contactName: line(32, 1, "请填写联系人").optional(),
    contactPhone: phone.optional(),
  }),
  output: done,
});
/** Sets the ratio from today or tomorrow on. Days before today keep theirs; one still to come is replaced. */
export const setAgentRatio = write({
  path: "/api/organisation/agents/ratio",
  title: "调整分润比例",
  access: "/agent/agent/ratio",
  input: z.object({ id, version: z.int(), profitRatio: rate, start: oneOf(ratioStart) }),
  output: z.object({ effectiveFrom: day }),
});
/** Closing ends the sessions of the agent and its salesmen in the same transaction; its merchants stay as they are. */
export const setAgentState = write({
  path: "/api/organisation/agents/state",
  title: "启用或停用代理商",
  access: "/agent/agent/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
