import { id, line } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

export const newCashier = z.object({
  serviceProviderId: id,
  merchantId: id,
  storeId: id,
  code: z.string().regex(/^[A-Za-z0-9-]{1,16}$/, "收银员编号为 1 到 16 位字母或数字"),
  name: line(32, 1, "请填写姓名"),
});
