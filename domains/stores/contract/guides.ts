import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** How far a member of the staff is at the channel; `unsure` is a call that nobody heard the end of. */
export const guideStatus = labelled({
  registering: ["登记中", "active"],
  unsure: ["待确认", "warn"],
  failed: ["登记失败", "bad"],
  active: ["已登记", "good"],
});
const web = (what: string) => z.url({ protocol: /^https?$/, error: `请填写${what}的网址` }).max(1024);
const facts = {
  qrCode: web("名片二维码"),
  avatar: web("头像"),
};
const phone = z
  .string()
  .trim()
  .regex(/^1\d{10}$/, "请输入 11 位手机号");

const row = z.object({
  id,
  code: z.string(),
  /** Masked, as the phone is. */
  name: z.string(),
  phone: z.string(),
  storeId: id,
  storeName: z.string(),
  corpId: z.string(),
  wecomUserId: z.string(),
  qrCode: z.string(),
  avatar: z.string(),
  /** The channel's number of the person. */
  guideId: z.string().nullable(),
  status: oneOf(guideStatus),
  message: z.string().nullable(),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
});
export const listGuides = read({
  path: "/api/stores/guides",
  title: "支付即服务",
  access: "/store/payIsService",
  input: listInput({ storeId: id.optional(), keyword: line(64).optional(), status: oneOf(guideStatus).optional() }, ["-createdAt"]),
  output: listOutput(row),
});
export const getGuide = read({
  path: "/api/stores/guides/:id",
  title: "服务人员详情",
  access: "/store/payIsService",
  input: z.object({ id }),
  output: row,
});
const settled = z.object({ id, status: oneOf(guideStatus), message: z.string().nullable() });
const calls = { access: "/store/payIsService/edit", outside: true, deadline_ms: 30_000 } as const;
export const addGuide = write({
  ...calls,
  path: "/api/stores/guides/add",
  title: "新增服务人员",
  input: z.object({
    storeId: id,
    code: z.string().regex(/^[A-Za-z0-9-]{1,16}$/, "编号为 1 到 16 位字母或数字"),
    name: line(16, 1, "请填写姓名"),
    phone,
    corpId: line(32, 1, "请填写企业ID"),
    wecomUserId: line(64, 1, "请填写企业微信员工ID"),
    ...facts,
  }),
  output: settled,
});
/** Name and phone that are left out stay as they are: the form shows them masked. */
export const updateGuide = write({
  ...calls,
  path: "/api/stores/guides/update",
  title: "修改服务人员",
  input: z.object({ id, version: z.int(), name: line(16, 1).optional(), phone: phone.optional(), ...facts }),
  output: settled,
});
/** Looks for the person at the channel first, so that nobody is registered twice. */
export const retryGuide = write({
  ...calls,
  path: "/api/stores/guides/retry",
  title: "重新登记服务人员",
  input: z.object({ id }),
  output: settled,
});
