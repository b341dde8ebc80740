import { read } from "@zhangfang/contract/endpoint.ts";
import { instant, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { commandKind } from "./commands.ts";

/** What a device asks for itself; the whole device side is described for its makers in docs/devices.md. */
export const getOwnConfig = read({
  path: "/api/device/config",
  title: "设备取配置",
  access: "device",
  rate: "poll",
  outside: true,
  waits: true,
  deadline_ms: 45_000,
  input: z.object({
    /** Seconds to wait for a change where the tag that was sent still holds; 0 answers at once. */
    wait: wholeNumber(0, 30).default(0),
  }),
  output: z.object({
    /** Names the values below; the same stands in the ETag, between quotes. */
    tag: z.string(),
    device: z.object({
      name: z.string(),
      cashierMode: z.int(),
      storeName: z.string(),
      merchantName: z.string(),
      cashierCode: z.string().nullable(),
    }),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    /** What it is to do and has not reported yet, in the order of the numbers. */
    commands: z.array(z.object({ number: z.int(), kind: oneOf(commandKind) })),
    now: instant,
  }),
});
