import { differenceClass, groupOf, platformClass, type SourceGroup } from "../contract/index.ts";

interface Words {
  /** The two sides. */
  readonly ours: string;
  readonly bill: string;
  readonly pay: string;
  readonly refund: string;
  readonly fee: string;
  /** What a use is counted in. */
  readonly unit: string;
}
const WORDS: Readonly<Record<SourceGroup, Words>> = {
  channel: { ours: "本地", bill: "通道", pay: "支付", refund: "退款", fee: "手续费", unit: "笔" },
  "group-buy": { ours: "本店", bill: "平台", pay: "核销", refund: "撤销", fee: "佣金", unit: "张" },
  takeaway: { ours: "各项算得", bill: "平台给的", pay: "完成", refund: "商家承担退款", fee: "服务费", unit: "单" },
};
/** What a day of such a source is told in. */
export const wordsOf = (source: string): Words => WORDS[groupOf(source)];
export const classesOf = (source: string) => (groupOf(source) === "channel" ? differenceClass : platformClass);
