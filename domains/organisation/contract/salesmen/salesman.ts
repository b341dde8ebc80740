import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { fromDay } from "../assignments/assignment.ts";
import { loginName, phone } from "../merchants/merchant.ts";
import { nodeState } from "../nodes.ts";

/** One salesman in the list, with what his merchants brought in this month. */
export const salesmanRow = z.object({
  id,
  name: z.string(),
  /** Masked. */
  phone: z.string().nullable(),
  serviceProviderId: id,
  serviceProviderName: z.string(),
  /** Of the one he belongs to; the provider's own has neither. */
  agentId: id.nullable(),
  agentName: z.string().nullable(),
  businessTeamId: id.nullable(),
  teamName: z.string().nullable(),
  merchantCount: z.int(),
  /** Of this month by the attribution of the moment. */
  monthPaidCents: cents,
  state: oneOf(nodeState),
  createdAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});

export const salesmanFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
  /** A part of the name, or the end of the phone. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
};
export const listSalesmen = read({
  path: "/api/organisation/salesmen",
  title: "业务员",
  access: "/salesman/salesman",
  input: listInput(salesmanFilter, ["-createdAt", "createdAt"]),
  output: listOutput(salesmanRow),
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseSalesmen = read({
  path: "/api/organisation/salesmen/summary",
  title: "业务员合计",
  access: "/salesman/salesman",
  input: z.object(salesmanFilter),
  output: z.object({ count: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
export const getSalesman = read({
  path: "/api/organisation/salesmen/:id",
  title: "业务员详情",
  access: "/salesman/salesman",
  input: z.object({ id }),
  output: salesmanRow.extend({
    version: z.int(),
    /** His accounts and where they are signed in: whom a closing puts out. */
    accountCount: z.int(),
    sessionCount: z.int(),
  }),
});
/** The merchants of a salesman, by name; at most 200, a keyword finds the rest. */
export const listSalesmanMerchants = read({
  path: "/api/organisation/salesmen/merchants",
  title: "业务员的商户",
  access: "/salesman/salesman",
  input: z.object({ id, keyword: line(64).optional() }),
  output: z.object({
    items: z.array(z.object({ id, number: z.string(), name: z.string(), state: oneOf(nodeState), openedAt: instant })),
  }),
});

const name = line(32, 1, "请填写业务员姓名");
/** Adds a salesman with his account. The one-time password stands in the first answer only. */
export const addSalesmanAccount = write({
  path: "/api/organisation/salesmen/add",
  title: "新建业务员",
  access: "/salesman/salesman/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: z.object({
    requestId: id,
    name,
    phone,
    /** Below the provider an agent and a team add to themselves, a group to one of its teams. */
    agentId: id.optional(),
    businessTeamId: id.optional(),
    login: loginName,
  }),
  output: z.object({ id, login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});
/** A phone that is left out stays as it is: the form shows it masked. */
export const updateSalesman = write({
  path: "/api/organisation/salesmen/update",
  title: "修改业务员",
  access: "/salesman/salesman/edit",
  input: z.object({ id, version: z.int(), name, phone: phone.optional() }),
  output: done,
});
/** Closing ends his sessions in the same transaction; his merchants stay as they are. */
export const setSalesmanState = write({
  path: "/api/organisation/salesmen/state",
  title: "启用或停用业务员",
  access: "/salesman/salesman/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
/** Hands merchants of one salesman to another who is in sight, from a day on: those named, or all that he has now. */
export const handOverMerchants = write({
  path: "/api/organisation/salesmen/hand-over",
  title: "移交商户",
  access: "/salesman/salesman/handover",
  input: z.object({
    id,
    toId: z.uuid("请选择接手的业务员"),
    merchantIds: z.array(id).min(1, "请选择商户").max(500, "一次最多 500 家").optional(),
    from: fromDay,
  }),
  output: z.object({ count: z.int(), effectiveFrom: day }),
});
