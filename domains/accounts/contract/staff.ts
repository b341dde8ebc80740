import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { grantable } from "./grants.ts";
import { accountLevel } from "./levels.ts";
import { newPosition, userState } from "./users.ts";

const access = "/bypass/bypass";
const choice = z.object({ id, name: z.string() });

/** The sub-accounts of the calling root. */
export const listStaff = read({
  path: "/api/staff",
  title: "子账号列表",
  access,
  input: listInput(
    { keyword: line(64).optional(), state: oneOf(userState).optional(), positionId: id.optional(), storeId: id.optional() },
    ["-createdAt"],
  ),
  output: listOutput(
    z.object({
      id,
      login: z.string(),
      firstName: z.string(),
      level: oneOf(accountLevel),
      root: z.boolean(),
      ownerName: z.string().nullable(),
      positionName: z.string().nullable(),
      /** The first few stores it is narrowed to, how many there are, and the areas it looks after. */
      storeNames: z.array(z.string()),
      storeCount: z.int(),
      areaNames: z.array(z.string()),
      state: oneOf(userState),
      sessions: z.int(),
      lockedUntil: instant.nullable(),
      lastLoginAt: instant.nullable(),
      createdAt: instant,
    }),
  ),
});
export const getStaff = read({
  path: "/api/staff/:id",
  title: "子账号",
  access,
  input: z.object({ id }),
  output: z.object({
    id,
    login: z.string(),
    firstName: z.string(),
    level: oneOf(accountLevel),
    positionId: id.nullable(),
    storeIds: z.array(id),
    areaIds: z.array(id),
    sessions: z.int(),
  }),
});
/** What a sub-account can be given: the root's positions, and a merchant's stores and areas. */
export const listStaffChoices = read({
  path: "/api/staff/choices",
  title: "子账号可选范围",
  access,
  input: z.object({}),
  output: z.object({ positions: z.array(choice), stores: z.array(choice), areas: z.array(choice) }),
});
export const updateStaff = write({
  path: "/api/staff/update",
  title: "修改子账号",
  access,
  closedToActing: true,
  input: z.object({
    id,
    firstName: line(32, 1, "请填写姓名"),
    /** None only for a store's people, who may do without. */
    positionId: id.nullable().default(null),
    storeIds: z.array(id).max(1000).default([]),
    areaIds: z.array(id).max(200).default([]),
  }),
  output: done,
});

/** The positions of the calling root. */
export const listPositions = read({
  path: "/api/positions",
  title: "岗位列表",
  access: "/jurisdiction/permission",
  input: listInput({ keyword: line(32).optional() }, ["-createdAt"]),
  output: listOutput(
    z.object({
      id,
      name: z.string(),
      /** The items that it names. */
      items: z.array(z.string()),
      /** How many of them the root still holds: the others open nothing. */
      held: z.int(),
      holders: z.int(),
      sessions: z.int(),
      holderIds: z.array(id),
      createdAt: instant,
    }),
  ),
});
/** What the calling root may give away: what it holds now, but for what only roots hold. */
export const listOwnItems = read({
  path: "/api/positions/items",
  title: "可授予的权限",
  access: "/jurisdiction/permission",
  input: z.object({}),
  output: z.object({ tree: z.array(grantable) }),
});
export const addOwnPosition = write({
  path: "/api/positions/add",
  title: "新增岗位",
  access: "/jurisdiction/permission",
  closedToActing: true,
  idempotent: "requestId",
  input: newPosition.extend({ requestId: z.uuid() }),
  output: z.object({ id }),
});
/** Whoever holds it signs in again. */
export const updateOwnPosition = write({
  path: "/api/positions/update",
  title: "修改岗位",
  access: "/jurisdiction/permission",
  closedToActing: true,
  input: newPosition.extend({ id }),
  output: done,
});
/** Only a position that nobody holds. */
export const removeOwnPosition = write({
  path: "/api/positions/remove",
  title: "删除岗位",
  access: "/jurisdiction/permission",
  closedToActing: true,
  input: z.object({ id }),
  output: done,
});
/** Says who holds a position from now on: those named, and nobody else. */
export const assignPosition = write({
  path: "/api/positions/assign",
  title: "分配岗位",
  access: "/jurisdiction/permission",
  closedToActing: true,
  input: z.object({ id, userIds: z.array(id).max(1000) }),
  output: z.object({ given: z.int(), taken: z.int() }),
});
/** Whom the calling root may give a position. */
export const listAssignable = read({
  path: "/api/positions/assignable",
  title: "可分配岗位的子账号",
  access: "/jurisdiction/permission",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({ id, login: z.string(), firstName: z.string(), level: oneOf(accountLevel), positionName: z.string().nullable() }),
    ),
  }),
});
