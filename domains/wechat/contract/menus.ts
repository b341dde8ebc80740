import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { buttonFault, MOST_SUB, MOST_TOP } from "./menu-words.ts";

export const menuKind = labelled({ view: "打开网页", click: "回复文字", miniprogram: "打开小程序", scan: "扫一扫", other: "别的" });
export const publishState = labelled({
  none: ["没有发布过", "ended"],
  asked: ["正在发布", "active"],
  done: ["已发布", "good"],
  failed: ["没有发布成", "bad"],
  unknown: ["还不知道有没有发布成", "warn"],
});

const button = z.object({
  name: line(20),
  kind: oneOf(menuKind),
  url: z.string().trim().max(1_000, "网址过长").default(""),
  reply: z.string().trim().max(600, "不能超过 600 个字").default(""),
  appId: line(18).default(""),
  pagePath: line(200).default(""),
});
const top = button.extend({ children: z.array(button).max(MOST_SUB, `最多 ${MOST_SUB} 个子菜单`).default([]) });
/** A draft may be unfinished; only a whole one is published. */
export const menuDraft = z.array(top).max(MOST_TOP, `最多 ${MOST_TOP} 个菜单`);
/** One that may be published. */
export const wholeMenu = menuDraft.superRefine((menu, ctx) => {
  for (const [at, { children, ...one }] of menu.entries()) {
    const fault = buttonFault(one, "top", children.length);
    if (fault) ctx.addIssue({ code: "custom", path: [at, fault.field], message: fault.message });
    for (const [place, child] of children.entries()) {
      const wrong = buttonFault(child, "sub");
      if (wrong) ctx.addIssue({ code: "custom", path: [at, "children", place, wrong.field], message: wrong.message });
    }
  }
});

const edit = "/wxCRM/app/edit";
/** 自定义菜单 of an account: the draft, and what WeChat had when it was asked last. */
export const getMenu = read({
  path: "/api/wx-menus/one",
  title: "自定义菜单",
  access: "/wxCRM/app",
  input: z.object({ appId: id }),
  output: z.object({
    appName: z.string(),
    draft: menuDraft,
    /** 0: no draft yet. */
    revision: z.int(),
    byName: z.string(),
    updatedAt: instant.nullable(),
    live: menuDraft.nullable(),
    liveAt: instant.nullable(),
    publishState: oneOf(publishState),
    publishWhy: z.string(),
    publishedAt: instant.nullable(),
    publishedBy: z.string(),
  }),
});
export const saveMenu = write({
  path: "/api/wx-menus/save",
  title: "保存自定义菜单草稿",
  access: edit,
  input: z.object({ appId: id, revision: z.int().min(0), buttons: menuDraft }),
  output: z.object({ revision: z.int() }),
});
/** 看线上: asks WeChat for the menu that followers see. */
export const readMenu = write({
  path: "/api/wx-menus/read",
  title: "读取线上菜单",
  access: edit,
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ appId: id }),
  output: done,
});
/** 发布: the whole draft of this revision replaces the menu at WeChat; an empty one takes it away. */
export const publishMenu = write({
  path: "/api/wx-menus/publish",
  title: "发布自定义菜单",
  access: edit,
  outside: true,
  deadline_ms: 40_000,
  /** liveAt: of the reading of the live menu that was looked at. 409 `menu.live-changed` where followers see another by now; it is read then. */
  input: z.object({ appId: id, revision: z.int(), liveAt: instant.nullable() }),
  output: z.object({ state: oneOf(publishState), why: z.string() }),
});
