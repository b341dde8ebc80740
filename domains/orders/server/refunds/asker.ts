import type { Ctx } from "@zhangfang/server/calls/call.ts";

/** Who asks or decides, as the record keeps it: the person who really acts, and under whose name. */
export function askerOf({ principal }: Pick<Ctx, "principal">): { id: string; name: string } {
  const said = (field: string, otherwise: string): string => {
    const value = principal.session?.[field];
    return typeof value === "string" ? value : otherwise;
  };
  const name = said("first_name", principal.name);
  if (principal.actorId === undefined) return { id: principal.id, name };
  return { id: principal.actorId, name: `${name}（${said("actor_login", "上级")} 代管）` };
}
/** Whether the caller is the one named, in person or through somebody who acts for them. */
export const isSelf = ({ principal }: Ctx, user_id: string | null): boolean =>
  user_id !== null && (user_id === principal.id || user_id === principal.actorId);
/** The button that decides requests above the limit. */
export const DECIDE = "/dataCentre/refund/decide";
export const REFUND = "/dataCentre/payOrder/refund";
export const RETRY = "/dataCentre/payRefund/retry";
