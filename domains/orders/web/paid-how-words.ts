import { payChannel, payMethod, payTool } from "../../channels/contract.ts";
import { dayOfWeek, hourOfDay, lacking, tradeType } from "../contract/index.ts";

/** What a record of an export says of these filters. */
export const paidHowWords = {
  tool: ["支付工具", payTool],
  channel: ["支付渠道", payChannel],
  payMethod: ["支付方式", payMethod],
  tradeType: ["交易类型", tradeType],
  hour: ["时段", hourOfDay],
  weekday: ["星期", dayOfWeek],
  lacking: ["归属", lacking],
} as const;
