import { payChannel, payMethod, payTool, payWallet, payWay } from "../../channels/contract.ts";
import { dayOfWeek, hourOfDay, lacking, tradeType } from "../contract/index.ts";

/** What a record of an export says of these filters. */
export const paidHowWords = {
  wallet: ["钱包", payWallet],
  way: ["收款方式", payWay],
  channel: ["通道", payChannel],
  // Of records that were made before those words.
  tool: ["钱包和收款方式", payTool],
  payMethod: ["收款方式", payMethod],
  tradeType: ["交易类型", tradeType],
  hour: ["时段", hourOfDay],
  weekday: ["星期", dayOfWeek],
  lacking: ["归属", lacking],
} as const;
