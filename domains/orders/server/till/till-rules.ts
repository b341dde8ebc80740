import type { PayMethod, PayTool } from "../../../channels/contract.ts";

/** How a payment is filed: the tool that the customer or the cashier held up, and the channel's name of the method. */
export function paymentWay(trade_type: "NATIVE" | "JSAPI" | "MICROPAY", face: boolean): { tool: PayTool; pay_method: PayMethod } {
  if (trade_type === "NATIVE") return { tool: 1, pay_method: "OTHER" };
  if (trade_type === "JSAPI") return { tool: 1, pay_method: "MICROAPP" };
  return face ? { tool: 6, pay_method: "FACE" } : { tool: 2, pay_method: "CARD" };
}
