import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";

/** The caller is told what it may pick, or why it has to be typed. */
const picks = z.object({
  /** Why there is nothing to pick from; empty where there is. */
  why: z.string(),
  items: z.array(z.object({ code: z.string(), name: z.string() })),
  /** How many fit beyond those that are told. */
  more: z.int(),
  /** The list is being fetched from WeChat Pay: whoever waits asks again in a moment. */
  fetching: z.boolean(),
});
const kind = z.enum(["personal", "corporate"]);
const bank = z.string().regex(/^\d{1,32}$/, "请先选银行");
const area = z.string().regex(/^\d{6}$/, "请先选开户银行省市");
const q = z.string().trim().max(40, "最多 40 个字").default("");
/** Banks of 其他银行 whose branch an application has to name, by a part of their name. */
export const findBanks = read({
  path: "/api/applyments/banks",
  title: "查找开户银行",
  access: "/applyment/form/edit",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ kind, q }),
  output: picks,
});
/** Branches of such a bank in the city of an account, by a part of their name. */
export const findBranches = read({
  path: "/api/applyments/branches",
  title: "查找开户支行",
  access: "/applyment/form/edit",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ bank, area, q }),
  output: picks,
});

const byLink = { access: "public", rate: "poll", outside: true, deadline_ms: 25_000, output: picks } as const;
const token = z.string().trim().min(1).max(64);
/** The same for whoever holds a link with the step of the account. */
export const findFillBanks = read({
  ...byLink,
  path: "/api/applyment-page/:token/banks",
  title: "商户查找开户银行",
  input: z.object({ token, kind, q }),
});
export const findFillBranches = read({
  ...byLink,
  path: "/api/applyment-page/:token/branches",
  title: "商户查找开户支行",
  input: z.object({ token, bank, area, q }),
});
