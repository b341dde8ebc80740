import type { ReactNode } from "react";
import type { Access, Endpoint } from "@zhangfang/contract/endpoint.ts";
import { may, type Need, type User, useUser } from "../api/user.ts";

/** What an act needs: an endpoint, whose access stands in its contract, or a list of roles and paths. */
export type ActOf = Pick<Endpoint, "access" | "closedToActing" | "kind"> | readonly Need[];

/**
 * Whether the signed-in person may do something. The server decides; this only keeps buttons away that would fail.
 * @throws need roles, where an empty list is given
 * @example const mayRefund = useAct(refundOrder);
 */
export const useAct = (of: ActOf): boolean => mayAct(useUser(), of);

/** Whether a person may do something. @throws need roles, where an empty list is given */
export function mayAct(person: User, of: ActOf): boolean {
  if (isNeeds(of)) return may(person, of);
  if (of.closedToActing && person.actor !== undefined) return false;
  if (of.kind === "write" && of.access !== "signed-in" && person.readOnly) return false;
  const needs = needsOf(of.access);
  return needs === undefined || may(person, needs);
}

/**
 * Shows its children only to whoever may do the act (spec.md section 6, the permission directive).
 * @example <Act of={refundOrder}><Button onClick={open}>退款</Button></Act>
 * @example <Act of={["ROLE_ADMIN", "/couponSummary/exportPdf"]}>…</Act>
 */
export function Act({ of, children }: { of: ActOf; children: ReactNode }): ReactNode {
  return useAct(of) ? children : null;
}

function isNeeds(of: ActOf): of is readonly Need[] {
  return Array.isArray(of);
}
function needsOf(access: Access): readonly Need[] | undefined {
  if (typeof access !== "string") return access;
  return access.startsWith("/") ? [access as Need] : undefined;
}
