import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { id } from "@zhangfang/contract/fields.ts";

const given = { access: "channel", rate: "channel", outside: true, deadline_ms: 5_000, input: z.object({ account: id }) } as const;
const ele = { ...given, path: "/notify/ele/:account", output: z.object({ message: z.literal("ok") }) } as const;
/** 饿了么 asks whether anybody listens. */
export const beatEle = write({ ...ele, verb: "GET", source: "query", title: "饿了么心跳" });
/** 饿了么 tells of an order. Nothing proves that it is 饿了么: it makes us ask, and moves nothing by itself. */
export const hearEle = write({ ...ele, title: "饿了么消息" });
/** 美团外卖 tells of an order: a form, and a hint in the same way. */
export const hearMeituan = write({
  ...given,
  path: "/notify/meituan-wm/:account",
  title: "美团外卖消息",
  output: z.object({ data: z.literal("ok") }),
});
