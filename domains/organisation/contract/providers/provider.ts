import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, flag, id, instant, line, listInput, listOutput, oneOf, rate } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { loginName, phone } from "../merchants/merchant.ts";
import { nodeState } from "../nodes.ts";
import { levelNames } from "./level-names.ts";
import { contractStart, contractState } from "./states.ts";

/** How many of each kind a provider may have, whatever their state; null means any number. */
export const quotas = z.object({
  merchants: z.int().min(0).max(1_000_000).nullable(),
  stores: z.int().min(0).max(1_000_000).nullable(),
  devices: z.int().min(0).max(1_000_000).nullable(),
  accounts: z.int().min(0).max(1_000_000).nullable(),
});
/** One provider in the list. */
export const providerRow = z.object({
  id,
  number: z.string(),
  name: z.string(),
  shortName: z.string(),
  /** Masked. */
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  feeRate: z.int(),
  merchantCount: z.int(),
  storeCount: z.int(),
  deviceCount: z.int(),
  accountCount: z.int(),
  quotas,
  state: oneOf(nodeState),
  contractState: oneOf(contractState),
  contractFrom: day.nullable(),
  contractUntil: day.nullable(),
  /** Until the last day of the contract, from today; negative behind it, null where there is none. */
  daysLeft: z.int().nullable(),
  createdAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});
/** The brand as it is kept; pictures are addresses of our own. */
export const brandFacts = z.object({
  brandTitle: z.string().nullable(),
  logoUrl: z.string().nullable(),
  littleLogoUrl: z.string().nullable(),
  faviconUrl: z.string().nullable(),
  loginBackgroundUrl: z.string().nullable(),
  colourLight: z.string().nullable(),
  colourDark: z.string().nullable(),
  icpNumber: z.string().nullable(),
  hosts: z.array(z.string()),
});

export const providerFilter = {
  /** A part of the name, the short name or the number. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
  contract: oneOf(contractState).optional(),
  /** The contract ends within 30 days. */
  expiring: flag.optional(),
};
export const listProviders = read({
  path: "/api/organisation/providers",
  title: "服务商",
  access: "/admin/serviceProvider",
  input: listInput(providerFilter, ["-createdAt", "createdAt"]),
  output: listOutput(providerRow),
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseProviders = read({
  path: "/api/organisation/providers/summary",
  title: "服务商合计",
  access: "/admin/serviceProvider",
  input: z.object(providerFilter),
  output: z.object({ count: z.int(), expiring: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
export const getProvider = read({
  path: "/api/organisation/providers/:id",
  title: "服务商详情",
  access: "/admin/serviceProvider",
  input: z.object({ id }),
  output: providerRow.extend({
    version: z.int(),
    feedbackUrl: z.string().nullable(),
    agentRatioLimit: z.int(),
    /** Where accounts of its tree are signed in: whom a closing puts out. */
    sessionCount: z.int(),
    brand: brandFacts,
    levelNames,
    /** Newest first; without a name it was the calendar. */
    steps: z.array(
      z.object({
        contractState: oneOf(contractState),
        contractFrom: day.nullable(),
        contractUntil: day.nullable(),
        note: z.string().nullable(),
        byName: z.string().nullable(),
        at: instant,
      }),
    ),
  }),
});

const facts = {
  name: line(64, 1, "请填写服务商名称"),
  shortName: line(32, 1, "请填写服务商简称"),
  feeRate: rate,
  /** How high the profit ratio of an agent may be; all of it where nothing is said. */
  agentRatioLimit: rate.optional(),
  quotas,
};
const term = { contractFrom: day.nullable(), contractUntil: day.nullable() };
const inOrder = (given: { contractFrom: string | null; contractUntil: string | null }) =>
  given.contractFrom === null || given.contractUntil === null || given.contractFrom <= given.contractUntil;
const ORDER = { path: ["contractUntil"], message: "到期日不能早于生效日" };

/** Adds a provider with its first account. The one-time password stands in the first answer only. */
export const addProviderAccount = write({
  path: "/api/organisation/providers/add",
  title: "新建服务商",
  access: "/admin/serviceProvider/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: z
    .object({
      requestId: id,
      ...facts,
      contactName: line(32, 1, "请填写联系人"),
      contactPhone: phone,
      login: loginName,
      start: oneOf(contractStart),
      ...term,
    })
    .refine(inOrder, ORDER),
  output: z.object({ id, login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});
/** Contact fields that are left out stay as they are: the form shows them masked. A quota below what there is only keeps more from being added. */
export const updateProvider = write({
  path: "/api/organisation/providers/update",
  title: "修改服务商",
  access: "/admin/serviceProvider/edit",
  input: z.object({
    id,
    version: z.int(),
    ...facts,
    contactName: line(32, 1, "请填写联系人").optional(),
    contactPhone: phone.optional(),
  }),
  output: done,
});
/** Closing ends every session of the tree in the same transaction and refuses its devices. */
export const setProviderState = write({
  path: "/api/organisation/providers/state",
  title: "启用或停用服务商",
  access: "/admin/serviceProvider/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
/** Sets another term. An expired contract runs again with it. */
export const renewContract = write({
  path: "/api/organisation/providers/renew",
  title: "续约服务商",
  access: "/admin/serviceProvider/contract",
  input: z.object({ id, version: z.int(), ...term }).refine(inOrder, ORDER),
  output: done,
});
