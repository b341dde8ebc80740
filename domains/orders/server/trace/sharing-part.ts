import { percent, yuan } from "@zhangfang/contract/money.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { sharesOf, type OrderShare } from "../../../profit-sharing/server/index.ts";
import type { OrderRow } from "../rows.ts";
import { part, type TracePart } from "./own-parts.ts";
import { line, some, type TraceLine } from "./trace-rules.ts";

/** Who sees the receivers of a share by name: those who see the list of shares. Everybody else sees what it comes to. */
const BY_NAME: readonly string[] = ["PLATFORM", "ADMIN", "SP", "MCH"];
export const seesReceivers = ({ level }: Pick<Ctx["scope"], "level">): boolean => BY_NAME.includes(level);

export interface Sharing {
  readonly part: TracePart | undefined;
  /** What receivers hold by now. */
  readonly received: readonly { readonly name: string; readonly cents: number }[];
}
/** What of the order was shared with others, and what of it came back. */
export async function sharingOf(ctx: Ctx, order: OrderRow): Promise<Sharing> {
  const shares = await sharesOf(ctx.tx, order.service_provider_id, order.id);
  const lines = shares.flatMap(linesOf);
  if (lines.length === 0) return { part: undefined, received: [] };
  const whole = part("sharing", "分账合计", lines);
  const held = shares.map((one) => ({ name: `分账接收方 ${one.receiver}`, cents: heldBy(one) })).filter(({ cents }) => cents !== 0);
  if (seesReceivers(ctx.scope)) return { part: whole, received: held };
  const cents = held.reduce((sum, one) => sum + one.cents, 0);
  const { amountCents } = whole.sum;
  return {
    part: part("sharing", "分账合计", [line({ label: "分账", note: "分给商户的合作方，已减退回", amountCents })]),
    received: cents === 0 ? [] : [{ name: "分账接收方", cents }],
  };
}
const heldBy = ({ state, amountCents, returnedCents }: OrderShare): number => (state === "success" ? amountCents - returnedCents : 0);

function linesOf(share: OrderShare): TraceLine[] {
  const { state, receiver, account, ratio, baseCents, amountCents, returnedCents, returningCents, failReason } = share;
  const at = share.at as TraceLine["at"];
  const how = `账号 ${account}，${yuan(baseCents)} × ${percent(ratio)}`;
  if (state === "closed") return [line({ label: `分给 ${receiver}`, note: `没有分到：${failReason ?? "通道已关闭"}`, at })];
  return [
    line({ label: `分给 ${receiver}`, note: state === "pending" ? `${how}，处理中` : how, amountCents: -amountCents, at }),
    ...some({ label: `${receiver} 已退回`, amountCents: returnedCents }),
    ...some({ label: `${receiver} 退回中`, amountCents: returningCents }),
  ];
}
