import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { onlineState, outputStatus, paperWidth, printerVendor, receiptTemplate, speakerVendor } from "./codes.ts";

const sn = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{4,32}$/, "编号为 4 到 32 位字母、数字或短横线，见机身标签");
const name = line(20, 1, "请填写名称");
const filter = {
  storeId: id.optional(),
  /** A part of the name, the number or the store. */
  keyword: line(32).optional(),
};
const row = z.object({
  id,
  sn: z.string(),
  name: z.string(),
  storeId: id,
  storeName: z.string(),
  onPayment: z.boolean(),
  onRefund: z.boolean(),
  /** The merchant has switched receipts or announcements off for all its stores. */
  merchantOff: z.boolean(),
  lastStatus: oneOf(outputStatus).nullable(),
  lastAt: instant.nullable(),
  lastMessage: z.string().nullable(),
  version: z.int(),
  createdAt: instant,
});
const wishes = { onPayment: z.boolean().default(true), onRefund: z.boolean().default(false) };
const sorts = ["-createdAt", "createdAt"] as const;
/** What became of something that was sent by hand. */
const sent = z.object({ status: oneOf(outputStatus), message: z.string().nullable() });

export const printerRow = row.extend({
  vendor: oneOf(printerVendor),
  /** The last four of the key, which is never read back. */
  keyTail: z.string(),
  template: oneOf(receiptTemplate),
  paperWidth: oneOf(paperWidth),
  copies: z.int(),
  online: oneOf(onlineState).nullable(),
  checkedAt: instant.nullable(),
});
const printing = {
  name,
  template: oneOf(receiptTemplate).default("full"),
  paperWidth: oneOf(paperWidth).default(58),
  copies: z.int().min(1, "至少 1 联").max(5, "最多 5 联").default(1),
  ...wishes,
};
export const listPrinters = read({
  path: "/api/store-hardware/printers",
  title: "云打印机",
  access: "/store/printers",
  input: listInput(filter, sorts),
  output: listOutput(printerRow),
});
export const getPrinter = read({
  path: "/api/store-hardware/printers/:id",
  title: "云打印机详情",
  access: "/store/printers",
  input: z.object({ id }),
  output: printerRow,
});
/** The maker is asked first: a number or key that it does not know is refused at the field. */
export const bindPrinter = write({
  path: "/api/store-hardware/printers/bind",
  title: "绑定云打印机",
  access: "/store/printers/bind",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({
    storeId: id,
    vendor: oneOf(printerVendor),
    sn,
    key: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{4,32}$/, "密钥为 4 到 32 位字母或数字，见机身标签"),
    ...printing,
  }),
  output: z.object({ id }),
});
export const updatePrinter = write({
  path: "/api/store-hardware/printers/update",
  title: "修改云打印机",
  access: "/store/printers/edit",
  input: z.object({ id, version: z.int(), ...printing }),
  output: done,
});
export const testPrinter = write({
  path: "/api/store-hardware/printers/test",
  title: "测试打印",
  access: "/store/printers/test",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: sent,
});
/** Asks the maker whether it is on; its answer stands in the row. */
export const checkPrinter = write({
  path: "/api/store-hardware/printers/check",
  title: "查询打印机状态",
  access: "/store/printers",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: z.object({ online: oneOf(onlineState).nullable(), message: z.string().nullable() }),
});
/** From now on it prints nothing; `released` says whether the maker has let it go as well. */
export const unbindPrinter = write({
  path: "/api/store-hardware/printers/unbind",
  title: "解绑云打印机",
  access: "/store/printers/unbind",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: z.object({ released: z.boolean() }),
});

export const speakerRow = row.extend({ vendor: oneOf(speakerVendor), volume: z.int(), protocol: z.int() });
const speaking = {
  name,
  volume: z.int().min(0, "音量为 0 到 100").max(100, "音量为 0 到 100").default(80),
  ...wishes,
};
export const listSpeakers = read({
  path: "/api/store-hardware/speakers",
  title: "云喇叭",
  access: "/store/trumpet",
  input: listInput(filter, sorts),
  output: listOutput(speakerRow),
});
export const getSpeaker = read({
  path: "/api/store-hardware/speakers/:id",
  title: "云喇叭详情",
  access: "/store/trumpet",
  input: z.object({ id }),
  output: speakerRow,
});
export const bindSpeaker = write({
  path: "/api/store-hardware/speakers/bind",
  title: "绑定云喇叭",
  access: "/store/trumpet/bind",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({
    storeId: id,
    sn,
    protocol: z.int().min(1, "见机身标签的 VERSION").max(9, "见机身标签的 VERSION").default(1),
    ...speaking,
  }),
  output: z.object({ id }),
});
export const updateSpeaker = write({
  path: "/api/store-hardware/speakers/update",
  title: "修改云喇叭",
  access: "/store/trumpet/edit",
  input: z.object({ id, version: z.int(), ...speaking }),
  output: done,
});
export const testSpeaker = write({
  path: "/api/store-hardware/speakers/test",
  title: "测试播报",
  access: "/store/trumpet/test",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: sent,
});
export const unbindSpeaker = write({
  path: "/api/store-hardware/speakers/unbind",
  title: "解绑云喇叭",
  access: "/store/trumpet/unbind",
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: z.object({ released: z.boolean() }),
});
