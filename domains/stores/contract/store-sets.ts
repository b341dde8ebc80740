import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { z } from "zod";
import { nodeState } from "../../organisation/contract/index.ts";
import { storeFilter } from "./store-list.ts";

/** So many stores are named one by one; more are put in by a filter. */
export const MOST_NAMED = 500;
/** At most this many stores change at once. */
export const MOST_CHANGED = 5000;

const manager = z.object({ id, login: z.string(), name: z.string() });
const setRow = z.object({
  id,
  name: z.string(),
  storeCount: z.int(),
  /** Whose accounts see its stores: of an area; nobody of a group. */
  managers: z.array(manager),
  createdAt: instant,
});
const storeIds = z.array(id).max(MOST_NAMED, `一次最多 ${MOST_NAMED} 家`);

/** Named sets of a merchant's stores, whatever they are for: their calls are the same. */
function setCalls(path: `/${string}`, what: string, screen: ItemPath) {
  const edit: ItemPath = `${screen}/edit`;
  const name = line(32, 1, `请填写${what}名称`);
  return {
    list: read({
      path,
      title: `门店${what}`,
      access: screen,
      input: listInput({ keyword: line(32).optional() }, ["-createdAt"]),
      output: listOutput(setRow),
    }),
    get: read({
      path: `${path}/:id`,
      title: `${what}详情`,
      access: screen,
      input: z.object({ id }),
      output: setRow.extend({
        /** The first two hundred. */
        stores: z.array(z.object({ id, number: z.string(), name: z.string(), city: z.string().nullable(), state: oneOf(nodeState) })),
        /** Who of its managers is signed in right now: whom a change puts out. */
        sessionCount: z.int(),
      }),
    }),
    add: write({
      path: `${path}/add`,
      title: `新建${what}`,
      access: edit,
      idempotent: "requestId",
      input: z.object({ requestId: id, name, storeIds: storeIds.default([]) }),
      output: z.object({ id }),
    }),
    rename: write({ path: `${path}/rename`, title: `修改${what}名称`, access: edit, input: z.object({ id, name }), output: done }),
    /** Puts stores in or takes them out, by name or by a filter that the server reads again. */
    change: write({
      path: `${path}/stores`,
      title: `调整${what}门店`,
      access: edit,
      input: z
        .object({ id, act: z.enum(["add", "remove"]), ids: storeIds.optional(), filter: z.object(storeFilter).optional() })
        .refine((given) => (given.ids === undefined) !== (given.filter === undefined), { path: ["ids"], message: "请选择门店" }),
      output: z.object({ count: z.int() }),
    }),
    remove: write({ path: `${path}/remove`, title: `删除${what}`, access: edit, input: z.object({ id }), output: done }),
  };
}
const groups = setCalls("/api/stores/groups", "分组", "/store/group");
export const listStoreGroups = groups.list;
export const getStoreGroup = groups.get;
export const addStoreGroup = groups.add;
export const renameStoreGroup = groups.rename;
export const changeStoreGroup = groups.change;
export const removeStoreGroup = groups.remove;

const areas = setCalls("/api/stores/areas", "区域", "/store/area");
export const listAreas = areas.list;
export const getArea = areas.get;
export const addStoreArea = areas.add;
export const renameArea = areas.rename;
export const changeAreaStores = areas.change;
export const removeArea = areas.remove;

/** Area managers of the merchant, for the choice of an area's. */
export const listAreaManagers = read({
  path: "/api/stores/area-managers",
  title: "区域经理选项",
  access: "/store/area/managers",
  input: z.object({}),
  output: z.array(manager),
});
/** Whoever is put in or taken out sees other stores from then on: their sessions end. */
export const setAreaManagers = write({
  path: "/api/stores/areas/managers",
  title: "设置区域经理",
  access: "/store/area/managers",
  input: z.object({ id, userIds: z.array(id).max(50, "一次最多 50 人") }),
  output: z.object({ ok: z.literal(true), changed: z.int() }),
});
