import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";

/** How an account is called: by its AppSecret, or as it was authorised to the provider's 第三方平台. */
export const wxAppWay = labelled({ own: "自己的 AppSecret", component: "第三方平台授权" });
export const wxAuthState = labelled({ on: ["已授权", "good"], off: ["已取消授权", "bad"] });
const access = "/wxCRM/app";
const edit = "/wxCRM/app/edit";
const settings = "/wxCRM/app/component";
/** 第三方平台 of the asker's provider: whether there is one, and whether WeChat sends its tickets. */
export const getWxComponent = read({
  path: "/api/wx-components/one",
  title: "第三方平台",
  access,
  input: z.object({}),
  output: z.object({
    component: z
      .object({
        appId: z.string(),
        /** The last ticket that came, and when WeChat last took secret and ticket. Null: not yet. */
        ticketAt: instant.nullable(),
        provedAt: instant.nullable(),
        /** A ticket is there, and young enough. */
        ready: z.boolean(),
        revision: z.int(),
        byName: z.string(),
        updatedAt: instant,
      })
      .nullable(),
  }),
});
/** What is typed at 微信开放平台. Whoever knows it can speak as WeChat. */
export const getWxComponentKeys = read({
  path: "/api/wx-components/keys",
  title: "第三方平台的接入资料",
  access: settings,
  closedToActing: true,
  input: z.object({}),
  output: z.object({ domain: z.string(), eventUrl: z.string(), messageUrl: z.string(), token: z.string(), aesKey: z.string() }),
});
/** AppID and AppSecret of the component; with another AppID everything that was authorised to the old one is off. */
export const saveWxComponent = write({
  path: "/api/wx-components/save",
  title: "保存第三方平台",
  access: settings,
  closedToActing: true,
  input: z.object({
    /** 0: there is none yet. */
    revision: z.int(),
    appId: z
      .string()
      .trim()
      .regex(/^wx[0-9a-f]{16}$/, "AppID 是 wx 开头的 18 位"),
    /** Empty: stays as it is. */
    secret: z
      .string()
      .trim()
      .regex(/^([0-9a-f]{32})?$/, "AppSecret 是 32 位的小写字母和数字"),
  }),
  output: done,
});
export const renewWxComponentKeys = write({
  path: "/api/wx-components/keys/renew",
  title: "更换第三方平台密钥",
  access: settings,
  closedToActing: true,
  input: z.object({ revision: z.int() }),
  output: done,
});
/** 测试: asks WeChat for a code that nobody uses; where no ticket has come yet, asks it to send one. */
export const testWxComponent = write({
  path: "/api/wx-components/test",
  title: "测试第三方平台",
  access: settings,
  outside: true,
  deadline_ms: 60_000,
  input: z.object({}),
  output: z.object({ proved: z.boolean(), words: z.string() }),
});

/** 去授权: the address of WeChat's page, for a new account or one that is there. */
export const authoriseWxApp = write({
  path: "/api/wx-apps/authorise",
  title: "发起公众号授权",
  access: edit,
  closedToActing: true,
  outside: true,
  deadline_ms: 60_000,
  input: z.object({ id: id.optional() }),
  output: z.object({ url: z.string() }),
});
/** What WeChat's page came back with. Once, and by the person who set out. */
export const takeWxAuthorisation = write({
  path: "/api/wx-apps/authorised",
  title: "完成公众号授权",
  access: edit,
  closedToActing: true,
  outside: true,
  deadline_ms: 60_000,
  input: z.object({ state: line(64, 1), code: line(512, 1) }),
  output: z.object({ id, name: z.string() }),
});
/** 取消授权 on our side: its tokens are forgotten, and calls stop. */
export const unauthoriseWxApp = write({
  path: "/api/wx-apps/unauthorise",
  title: "取消公众号授权",
  access: edit,
  closedToActing: true,
  input: z.object({ id, revision: z.int() }),
  output: done,
});
const heard = { access: "channel", rate: "channel", outside: true, deadline_ms: 5_000, output: z.string() } as const;
/** 授权事件: tickets, and who authorised or took it back. */
export const hearWxComponent = write({
  ...heard,
  path: "/notify/wechat-component/:component",
  title: "第三方平台授权事件",
  input: z.object({ component: id }),
});
/** 消息与事件 of an account that is authorised. */
export const hearAuthorisedApp = write({
  ...heard,
  path: "/notify/wechat-component/:component/:appId",
  title: "授权公众号的消息",
  input: z.object({ component: id, appId: z.string().regex(/^wx[0-9a-f]{16}$/) }),
});
