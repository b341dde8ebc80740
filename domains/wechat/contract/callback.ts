import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { id } from "@zhangfang/contract/fields.ts";

const given = {
  path: "/notify/wechat/:appRow",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ appRow: id }),
  output: z.string(),
} as const;
/** WeChat asks whether the address is ours: a signed word comes back. */
export const checkWechatAddress = write({ ...given, verb: "GET", source: "query", title: "公众号地址校验" });
/** WeChat tells of who follows and who leaves, and reads an answer to them, or `success`. */
export const hearWechat = write({ ...given, title: "公众号消息" });
