import { sql } from "kysely";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { FirstStep } from "../../todos/server/index.ts";

export const cashierStep: FirstStep = {
  key: "cashier",
  at: 50,
  title: "添加收银员",
  why: "每人用自己的编号收款，交班和对账分得清",
  levels: ["MCH", "AE"],
  access: "/cashier/cashier/edit",
  to: "/cashier/cashier?panel=add",
  done: (scope) => sql<boolean>`exists (select from cashiers c where ${inScope(scope, "c", "store")} and c.state = 'active')`,
};
