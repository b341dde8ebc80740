import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import type { PayWallet } from "../../../channels/contract.ts";

/** Each wallet has its own of the ten colours wherever it is drawn. */
export const WALLET_COLOURS: Readonly<Record<PayWallet, string>> = {
  alipay: CHART_COLOURS[0],
  wechat: CHART_COLOURS[1],
  unionpay: CHART_COLOURS[3],
  card: CHART_COLOURS[4],
  member: CHART_COLOURS[2],
  other: CHART_COLOURS[8],
};
