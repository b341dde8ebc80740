import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

export const commandKind = labelled({ restart: "重启", "refresh-config": "重新取配置", screenshot: "截屏", "upload-log": "上传日志" });
export type CommandKind = CodeOf<typeof commandKind>;
export const commandStatus = labelled({
  0: ["待送达", "active"],
  1: ["已送达", "active"],
  2: ["已完成", "good"],
  3: ["失败", "bad"],
  4: ["已取消", "ended"],
  5: ["已过期", "warn"],
});
/** A device that is away does not do in the evening what somebody wanted in the morning. */
export const COMMAND_GOOD_FOR_MS = 3_600_000;
/** Pictures and logs are kept for so long, the commands themselves for ninety days. */
export const FILES_KEPT_DAYS = 7;
export const COMMANDS_KEPT_DAYS = 90;
/** So large may be what a device brings. */
export const FILE_BYTES = 180_000;

const access = "/device/list/command";
export const queueCommands = write({
  path: "/api/devices/commands",
  title: "下发远程命令",
  access,
  idempotent: "requestId",
  input: z.object({
    requestId: z.uuid(),
    kind: oneOf(commandKind),
    ids: z.array(id).min(1, "请选择设备").max(500, "一次最多 500 台"),
  }),
  output: done.extend({ queued: z.int() }),
});
/** Only what has not been delivered: what the device has heard of it may be doing. */
export const cancelCommand = write({
  path: "/api/devices/commands/cancel",
  title: "取消远程命令",
  access,
  input: z.object({ id }),
  output: done,
});
export const listCommands = read({
  path: "/api/devices/commands",
  title: "远程命令记录",
  access: "/device/list",
  input: listInput({ deviceId: id }, ["-number"]),
  output: listOutput(
    z.object({
      id: z.string(),
      number: z.int(),
      kind: oneOf(commandKind),
      status: oneOf(commandStatus),
      byName: z.string(),
      words: z.string().nullable(),
      /** What the device brought, while it is kept. */
      file: z.enum(["image/png", "image/jpeg", "image/webp", "text/plain"]).nullable(),
      createdAt: instant,
      deliveredAt: instant.nullable(),
      finishedAt: instant.nullable(),
    }),
  ),
});
export const getCommandFile = read({
  path: "/api/devices/commands/:id/file",
  title: "查看设备截屏和日志",
  access,
  envelope: "file",
  input: z.object({ id }),
  output: z.any(),
});

/** What a device says of a command that it has done, or could not do; saying it again changes nothing. */
export const acknowledgeCommand = write({
  path: "/api/device/commands/done",
  title: "设备回报命令",
  access: "device",
  rate: "poll",
  outside: true,
  input: z.object({
    number: z.int().min(1).max(2_147_483_647),
    ok: z.boolean(),
    words: line(200).optional(),
  }),
  output: done,
});
/** The picture (PNG, JPEG) or log (UTF-8) that a command asked for, before it is reported as done. */
export const bringFile = write({
  path: "/api/device/commands/file",
  title: "设备上传截屏和日志",
  access: "device",
  rate: "poll",
  outside: true,
  input: z.object({
    number: z.int().min(1).max(2_147_483_647),
    base64: z.base64("须为 base64").max(Math.ceil(FILE_BYTES / 3) * 4, `不能超过 ${FILE_BYTES / 1000} KB`),
  }),
  output: done,
});
