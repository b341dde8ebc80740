import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { accountLevel, role } from "./levels.ts";

export const userState = labelled({ active: ["启用", "good"], disabled: ["停用", "ended"] });
/** A reset's one-time password lives this long. */
export const ONE_TIME_MS = 24 * 3600_000;

const login = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][\w.@-]{2,63}$/, "登录名为 3 到 64 位字母、数字或 . _ @ -");
const accountFields = {
  login,
  firstName: line(32, 1, "请填写姓名"),
  /** A sub-account's position (岗位); AE may do without. */
  positionId: id.optional(),
  /** The stores of an employee, or those that a merchant's sub-account is narrowed to. */
  storeIds: z.array(id).max(1000).default([]),
  areaIds: z.array(id).max(200).default([]),
};
const levelName = z.enum(accountLevel.values as unknown as ["ADMIN", "SP", "AG", "GP", "TM", "SM", "MCH", "AE"]);
/** What addUser takes. `nodeId` is the agent, group, team, salesman or merchant that the level names. */
export const newUser = z.object({
  ...accountFields,
  level: levelName,
  serviceProviderId: id.optional(),
  nodeId: id.optional(),
  /** Absent: it is a root account itself. */
  rootLogin: login.optional(),
});
const items = z.array(z.string().max(64)).min(1, "请选择权限").max(500);
export const newPosition = z.object({ name: line(32, 1, "请填写岗位名称"), items });

const userRow = z.object({
  id,
  login: z.string(),
  firstName: z.string(),
  level: oneOf(accountLevel),
  role: oneOf(role),
  root: z.boolean(),
  /** The node that it belongs to. */
  ownerName: z.string().nullable(),
  positionName: z.string().nullable(),
  state: oneOf(userState),
  lastLoginAt: instant.nullable(),
  /** Until when it can't sign in after too many failures. */
  lockedUntil: instant.nullable(),
  /** Where it is signed in now, those who act for it included. */
  sessions: z.int(),
  /** A root that was not granted all of its level's items. */
  limited: z.boolean(),
  createdAt: instant,
});
/** What lists of accounts narrow to. */
export const userFilters = {
  keyword: line(64).optional(),
  level: oneOf(accountLevel).optional(),
  state: oneOf(userState).optional(),
  /** Only accounts that are locked after failures, or only those that are not. */
  locked: flag.optional(),
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
};
/** The accounts below the caller, and a root's own sub-accounts. Names are masked. */
export const listUsers = read({
  path: "/api/users/list",
  title: "账号列表",
  access: ["/account/account", "/bypass/bypass"],
  envelope: "bare",
  input: listInput(userFilters, ["-createdAt"]),
  output: listOutput(userRow),
});
/** Adds an account below the caller, or a sub-account of a root. The one-time password is shown this once. */
export const addAccount = write({
  path: "/api/users/add",
  title: "新增账号",
  access: ["/account/account", "/bypass/bypass"],
  envelope: "bare",
  closedToActing: true,
  outside: true,
  input: z.object({ ...accountFields, level: levelName, serviceProviderId: id.optional(), nodeId: id.optional() }),
  output: z.object({ id, password: z.string(), expiresAt: instant }),
});
export const setUserState = write({
  path: "/api/users/:id/active",
  verb: "PUT",
  source: "both",
  title: "启用或停用账号",
  access: ["/account/account", "/bypass/bypass"],
  envelope: "bare",
  closedToActing: true,
  input: z.object({ id, state: oneOf(userState) }),
  output: done,
});
/** Lifts the locks of an account that stands below; its password stays. */
export const unlockUser = write({
  path: "/api/users/unlock",
  title: "解锁账号",
  access: ["/account/account", "/bypass/bypass"],
  closedToActing: true,
  input: z.object({ id }),
  output: done,
});
/** Ends every session of an account that stands below, those in which somebody acts for it included. */
export const endUserSessions = write({
  path: "/api/users/end-sessions",
  title: "强制退出账号",
  access: ["/account/account", "/bypass/bypass"],
  closedToActing: true,
  input: z.object({ id }),
  output: z.object({ ended: z.int() }),
});
export const getUser = read({
  path: "/api/users/:id/detail",
  title: "账号详情",
  access: ["/account/account", "/bypass/bypass"],
  input: z.object({ id }),
  output: userRow.extend({
    rootLogin: z.string(),
    serviceProviderName: z.string().nullable(),
    /** Sub-accounts of a root. */
    subAccounts: z.int(),
    stores: z.array(z.string()),
    areas: z.array(z.string()),
    /** Where it is signed in now, latest first, at most 20. */
    devices: z.array(
      z.object({
        ip: z.string().nullable(),
        device: z.string().nullable(),
        createdAt: instant,
        seenAt: instant,
        actorLogin: z.string().nullable(),
      }),
    ),
    /** Whether the caller may narrow what it holds, and may log in as it. */
    can: z.object({ grant: z.boolean(), loginAs: z.boolean() }),
  }),
});
/** Nodes that an account of a level may be added to, by name; at most 50. */
export const listAccountNodes = read({
  path: "/api/users/nodes",
  title: "可开账号的机构",
  access: "/account/account",
  input: z.object({ level: levelName, serviceProviderId: id.optional(), keyword: line(32).optional() }),
  output: z.object({ items: z.array(z.object({ id, name: z.string() })) }),
});
const oneTime = z.object({ id, login: z.string(), password: z.string(), expiresAt: instant });
export const resetPassword = write({
  path: "/api/users/:id/reset",
  verb: "PUT",
  source: "both",
  title: "重置密码",
  access: ["/account/account", "/bypass/bypass"],
  envelope: "bare",
  closedToActing: true,
  outside: true,
  input: z.object({ id }),
  output: oneTime,
});
export const resetPasswords = write({
  path: "/api/users/reset",
  verb: "PUT",
  source: "both",
  title: "批量重置密码",
  access: ["/account/account", "/bypass/bypass"],
  envelope: "bare",
  closedToActing: true,
  outside: true,
  deadline_ms: 40_000,
  input: z.object({ ids: z.array(id).min(1, "请选择账号").max(50, "一次最多 50 个") }),
  output: z.array(oneTime),
});
export const changePassword = write({
  path: "/api/password",
  title: "修改密码",
  access: "signed-in",
  outside: true,
  closedToActing: true,
  rate: "login",
  input: z.object({ oldPassword: z.string().max(128), newPassword: z.string().max(128) }),
  output: done,
});
