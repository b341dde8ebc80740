import { z } from "zod";
import { DAY_RANGES } from "@zhangfang/contract/time.ts";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** How often a view's rows come as a file. */
export const subscription = labelled({ day: "每天 8:00", week: "每周一 8:00" });
export type Subscription = CodeOf<typeof subscription>;
/** So many views somebody may have, and so many subscriptions. */
export const MOST_VIEWS = 100;
export const MOST_SUBSCRIPTIONS = 20;

const filters = z
  .record(z.string().regex(/^[a-z]\w{0,63}$/i, "筛选条件有误"), z.string().max(400))
  .refine((given) => Object.keys(given).length <= 60, "筛选条件过多");
const key = z.string().min(1).max(64);
const columns = z
  .strictObject({
    order: z.array(key).max(200).optional(),
    shown: z.record(key, z.boolean()).optional(),
    widths: z.record(key, z.number().min(0).max(10_000)).optional(),
    pinned: z.array(key).max(200).optional(),
    whole: z.boolean().optional(),
  })
  .refine((value) => JSON.stringify(value).length <= 8192, "列设置过长")
  .nullable();
const days = z.enum(DAY_RANGES, "日期范围有误").nullable();
const sort = z
  .string()
  .regex(/^-?\w{1,64}$/, "排序有误")
  .nullable();
const name = line(20, 1, "请填写视图名称");
const where = {
  /** The screen's address after the #, without its query. */
  path: z.string().regex(/^\/[\w/-]{1,100}$/, "页面地址有误"),
  /** The path of the list's call. */
  list: z.string().regex(/^\/[\w/:.-]{1,120}$/, "列表有误"),
};
/** What a view says of its list: all filters in force, the days that move, the order, the columns. */
const said = { filters, days, sort, columns };

const view = z.object({
  id,
  ...where,
  name,
  ...said,
  // What was kept when anything was taken for columns is no columns.
  columns: columns.catch(null),
  /** Counts its changes. */
  version: z.int(),
  shared: z.boolean(),
  /** Whether the caller made it; else the name of who did. */
  mine: z.boolean(),
  ownerName: z.string(),
  /** Whether the caller may rename, overwrite and delete it. */
  changeable: z.boolean(),
  subscription: oneOf(subscription).nullable(),
  /** Where the caller is told by mail that its file is there. */
  mail: z.string().nullable(),
  createdAt: instant,
});
export type SavedView = z.output<typeof view>;

/** All views that the caller has or is shown, of every list: own ones first, by name. */
export const listViews = read({
  path: "/api/views",
  title: "视图",
  access: "signed-in",
  input: z.object({}),
  /** `mailOn`: the platform has a mail server. */
  output: z.object({ items: z.array(view), mailOn: z.boolean() }),
});
export const addView = write({
  path: "/api/views",
  title: "保存视图",
  access: "signed-in",
  idempotent: "requestId",
  input: z.object({ requestId: z.uuid(), ...where, name, ...said }),
  output: z.object({ id }),
});
/** Renames it, or writes over what it says, as it was read. A shared one is changed by whoever made it, or by a holder of 共享视图. */
export const changeView = write({
  path: "/api/views/change",
  title: "修改视图",
  access: "signed-in",
  input: z.object({ id, version: z.int(), name: name.optional(), said: z.object(said).optional() }),
  output: done,
});
export const removeView = write({
  path: "/api/views/remove",
  title: "删除视图",
  access: "signed-in",
  input: z.object({ id }),
  output: done,
});
/** Shows it to everybody at the caller's node of the tree, or to its maker alone again. */
export const shareView = write({
  path: "/api/views/share",
  title: "共享视图",
  access: "/dataCentre/exports/shareView",
  input: z.object({ id, shared: z.boolean() }),
  output: done,
});
/** The rows of the view as a file in 导出记录, each day or week, with a message; `every: null` ends it. */
export const subscribeView = write({
  path: "/api/views/subscribe",
  title: "订阅视图",
  access: "signed-in",
  closedToActing: true,
  input: z.object({
    id,
    every: oneOf(subscription).nullable(),
    /** What the list is exported as, and the columns it shows. */
    source: line(64, 1),
    columns: z.array(line(64, 1)).max(200),
    /** Whoever it is told to by mail too; the file itself is not in it. */
    mail: z.email("邮箱格式不正确，如 name@example.com").max(100, "邮箱不能超过 100 个字").nullable().default(null),
  }),
  output: done,
});
