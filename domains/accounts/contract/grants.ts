import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** One line of a tree of items to tick: a top-level entry (parentId 0), a screen, or a button. */
export const grantable = z.object({
  id: z.int(),
  parentId: z.int(),
  name: z.string(),
  path: z.string(),
  type: z.enum(["menu", "page", "button"]),
});
const items = z.array(z.string().max(64)).min(1, "请选择权限").max(500);

/** What a root account below holds of its level's items. */
export const getGrant = read({
  path: "/api/users/:id/grant",
  title: "功能范围",
  access: "/account/account/grant",
  input: z.object({ id }),
  output: z.object({
    login: z.string(),
    /** Everything its level holds. */
    tree: z.array(grantable),
    /** Null: all of it, also what is added later. */
    granted: z.array(z.string()).nullable(),
    /** Who is signed out when it changes. */
    accounts: z.int(),
    sessions: z.int(),
  }),
});
/** Narrows a root account below, and with it every position under it, from the next call on; null gives all of its level's items. */
export const setGrant = write({
  path: "/api/users/grant",
  title: "设置功能范围",
  access: "/account/account/grant",
  closedToActing: true,
  input: z.object({ id, items: items.nullable() }),
  output: z.object({ ended: z.int() }),
});

/** Whether those who act for an account of the provider's tree may change things. */
export const getActingPolicy = read({
  path: "/api/acting-policy",
  title: "代管设置",
  access: "/account/account/actingPolicy",
  input: z.object({}),
  output: z.object({ writes: z.boolean(), changedAt: instant.nullable(), changedBy: z.string().nullable() }),
});
export const setActingPolicy = write({
  path: "/api/acting-policy",
  title: "修改代管设置",
  access: "/account/account/actingPolicy",
  closedToActing: true,
  input: z.object({ writes: z.boolean() }),
  output: done,
});
