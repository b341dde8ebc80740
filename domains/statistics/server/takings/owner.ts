import { sql, type RawBuilder } from "kysely";
import { firstFence, inScope, type Scope } from "@zhangfang/server/scope.ts";

/**
 * The rows of `takings` that add up to what a scope sees: each level has rows of its own, so that nothing is counted
 * twice. The platform is the sum of its providers, and whoever sees only some stores is the sum of those.
 */
export function takingsOf(scope: Scope): RawBuilder<boolean> {
  const [kind, owner] = ownerOf(scope);
  const mine =
    firstFence.on && owner !== undefined ? sql<boolean>`t.owner_id = any(${`{${owner.join(",")}}`}::uuid[])` : sql<boolean>`true`;
  return sql<boolean>`t.owner_kind = ${kind} and ${mine} and ${inScope(scope, "t")}`;
}
function ownerOf(scope: Scope): [kind: string, ids?: readonly string[]] {
  switch (scope.level) {
    case "PLATFORM":
    case "ADMIN":
      return ["provider"];
    case "SP":
      return ["provider", [scope.provider ?? ""]];
    case "AG":
      return ["agent", [scope.agent ?? ""]];
    case "GP":
      return ["group", [scope.group ?? ""]];
    case "TM":
      return ["team", [scope.team ?? ""]];
    case "SM":
      return ["salesman", [scope.salesman ?? ""]];
    case "MCH":
    case "AE":
      return scope.stores === undefined ? ["merchant", [scope.merchant ?? ""]] : ["store", scope.stores];
  }
}
