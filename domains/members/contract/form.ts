import { z } from "zod";
import { line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { memberIdCard, memberSex } from "./members.ts";

/** What a card's form may ask besides name, birthday, sex and identity card; kept sealed as words. */
export const memberFormWord = labelled({
  income: "收入",
  industry: "行业",
  habit: "兴趣爱好",
  email: "邮箱",
  location: "详细地址",
  education: "教育背景",
});
/** What a customer says of themselves on the form of a card, besides name and birthday. */
export const memberFormFacts = z.object({
  sex: oneOf(memberSex).nullable().default(null),
  idcard: memberIdCard.optional(),
  income: line(32).default(""),
  industry: line(32).default(""),
  habit: line(64).default(""),
  email: z
    .string()
    .trim()
    .max(64, "不能超过 64 个字")
    .regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]+$/, "邮箱格式不正确，如 name@example.com")
    .default(""),
  location: line(128).default(""),
  education: line(32).default(""),
});
