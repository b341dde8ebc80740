import { write } from "@zhangfang/contract/endpoint.ts";
import { done, id, line } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

const name = line(8, 1, "请填写名称")
  .regex(/^[\p{Script=Han}A-Za-z0-9]+$/u, "名称只能用汉字、字母和数字")
  .optional();
/** What a provider calls the levels of its tree; those that are left out keep the house's names. */
export const levelNames = z.object({ agent: name, group: name, team: name, salesman: name, merchant: name, store: name });

export const setLevelNames = write({
  path: "/api/organisation/providers/level-names",
  title: "设置层级名称",
  access: "/admin/serviceProvider/brand",
  input: z.object({ id, version: z.int(), levelNames }),
  output: done,
});
