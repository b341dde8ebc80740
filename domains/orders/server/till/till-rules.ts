import type { PayMethod, PayTool } from "../../../channels/contract.ts";
import { toolOf, type Wallet } from "../../../channels/server/index.ts";

/** How a payment is filed: the tool that the customer or the cashier held up, and the channel's name of the method. */
export function paymentWay(
  trade_type: "NATIVE" | "JSAPI" | "MICROPAY" | "MEMBER",
  face: boolean,
  wallet: Wallet,
): { tool: PayTool; pay_method: PayMethod } {
  if (trade_type === "MEMBER") return { tool: 99, pay_method: "OTHER" };
  if (trade_type === "NATIVE") return { tool: toolOf(wallet, "shown"), pay_method: "OTHER" };
  if (trade_type === "JSAPI") return { tool: toolOf(wallet, "shown"), pay_method: "MICROAPP" };
  return face ? { tool: toolOf(wallet, "face"), pay_method: "FACE" } : { tool: toolOf(wallet, "read"), pay_method: "CARD" };
}
