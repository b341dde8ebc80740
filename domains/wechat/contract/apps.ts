import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { wxAppKind, wxAppState } from "./codes.ts";
import { wxAppWay, wxAuthState } from "./component.ts";

const access = "/wxCRM/app";
const edit = "/wxCRM/app/edit";
const filters = { keyword: line(32).optional(), state: oneOf(wxAppState).optional() };
const row = z.object({
  id,
  merchantId: id,
  merchantName: z.string(),
  appId: z.string(),
  name: z.string(),
  kind: oneOf(wxAppKind),
  state: oneOf(wxAppState),
  /** Who follows it now, as far as its messages told. */
  fans: z.int(),
  /** WeChat took the address; and the last message that came. Null: not yet. */
  verifiedAt: instant.nullable(),
  heardAt: instant.nullable(),
  /** When AppSecret was typed, and when WeChat last took it. Null: not yet. */
  secretAt: instant.nullable(),
  provedAt: instant.nullable(),
  /** Of an account that was authorised to the provider's 第三方平台: whether it still is, since when, and what was granted. */
  way: oneOf(wxAppWay),
  authState: oneOf(wxAuthState).nullable(),
  authAt: instant.nullable(),
  permissions: z.array(z.int()),
  /** Why the last way to WeChat's page, of the last week, came to nothing; empty where it did not. */
  authWhy: z.string(),
  /** Calls can be made for it. */
  mayCall: z.boolean(),
  revision: z.int(),
  byName: z.string(),
  createdAt: instant,
});
/** 微信应用: official accounts of the merchants in sight. */
export const listWxApps = read({
  path: "/api/wx-apps",
  title: "微信应用",
  access,
  input: listInput(filters, ["-createdAt"]),
  output: listOutput(row),
});
export const getWxApp = read({
  path: "/api/wx-apps/:id",
  title: "微信应用详情",
  access,
  input: z.object({ id }),
  output: row,
});
/** 服务器配置: what is typed at WeChat's. Whoever knows it can say that somebody followed. */
export const getWxAppKeys = read({
  path: "/api/wx-apps/keys",
  title: "微信应用的服务器配置",
  access: edit,
  closedToActing: true,
  input: z.object({ id }),
  output: z.object({ url: z.string(), token: z.string(), aesKey: z.string() }),
});
const facts = { name: line(30, 1, "请填写公众号名称"), kind: oneOf(wxAppKind) };
export const addWxApp = write({
  path: "/api/wx-apps/add",
  title: "添加公众号",
  access: edit,
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({
    requestId: id,
    appId: z
      .string()
      .trim()
      .regex(/^wx[0-9a-f]{16}$/, "AppID 是 wx 开头的 18 位"),
    ...facts,
  }),
  output: z.object({ id }),
});
/** 修改, 停用 and 启用. */
export const updateWxApp = write({
  path: "/api/wx-apps/update",
  title: "修改公众号",
  access: edit,
  closedToActing: true,
  input: z.object({ id, revision: z.int(), ...facts, active: flag }),
  output: done,
});
/** 换密钥: new ones hold at once, and what WeChat still signs with the old is refused. */
export const renewWxAppKeys = write({
  path: "/api/wx-apps/keys/renew",
  title: "更换公众号密钥",
  access: edit,
  closedToActing: true,
  input: z.object({ id, revision: z.int() }),
  output: done,
});
/** 凭据: WeChat's AppSecret of the account; nobody reads it again. What the old one made is forgotten. */
export const setWxAppSecret = write({
  path: "/api/wx-apps/secret",
  title: "填写公众号 AppSecret",
  access: edit,
  closedToActing: true,
  input: z.object({
    id,
    revision: z.int(),
    secret: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{32}$/, "AppSecret 是 32 位的小写字母和数字"),
  }),
  output: done,
});
/** 测试: asks WeChat for something harmless. */
export const testWxApp = write({
  path: "/api/wx-apps/test",
  title: "测试公众号凭据",
  access: edit,
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: z.object({ proved: z.boolean(), words: z.string() }),
});
/** The address that an account calls. */
const called = {
  path: "/notify/wechat/:appRow",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ appRow: id }),
  output: z.string(),
} as const;
/** WeChat asks whether the address is ours: a signed word comes back. */
export const checkWechatAddress = write({ ...called, verb: "GET", source: "query", title: "公众号地址校验" });
/** WeChat tells of who follows and who leaves, and reads an answer to them, or `success`. */
export const hearWechat = write({ ...called, title: "公众号消息" });
