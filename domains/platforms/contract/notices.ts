import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { id } from "@zhangfang/contract/fields.ts";

const given = { access: "channel", rate: "channel", outside: true, deadline_ms: 5_000, input: z.object({ account: id }) } as const;
/** 抖音 tells that a voucher was used, taken back or refunded. A hint: it is asked about. */
export const hearDouyin = write({
  ...given,
  path: "/notify/douyin/:account",
  title: "抖音通知",
  /** What it asks to have back when the address is set up, else that it was heard. */
  output: z.union([z.object({ challenge: z.union([z.number(), z.string()]) }), z.object({ err_no: z.int(), err_tips: z.string() })]),
});
/** The same of 快手. */
export const hearKuaishou = write({
  ...given,
  path: "/notify/kuaishou/:account",
  title: "快手通知",
  output: z.object({ result: z.int() }),
});
