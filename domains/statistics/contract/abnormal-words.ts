import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { AbnormalFacts, abnormalReason } from "./abnormal.ts";

/** What was found, in figures. */
export function factWords(reason: CodeOf<typeof abnormalReason>, facts: AbnormalFacts): string {
  switch (reason) {
    case 1:
      return facts.lastDay === null ? `开店 ${facts.days} 天没有订单` : `${facts.days} 天无订单，最后一单 ${facts.lastDay}`;
    case 2: {
      const [week, mean] = [facts.weekCents ?? 0, facts.meanCents ?? 0];
      const fallen = mean === 0 ? 0 : Math.round(((mean - week) * 100) / mean);
      return `近 7 天 ¥${yuan(week as never)}，前 4 周平均 ¥${yuan(mean as never)}，下降 ${fallen}%`;
    }
    case 3:
      return `近 7 天退款 ${facts.refunds} 笔，支付 ${facts.orders} 笔（${Math.round(((facts.refunds ?? 0) * 100) / Math.max(1, facts.orders ?? 1))}%）`;
    case 4:
      return `${facts.devices} 台设备中 ${facts.offline} 台离线`;
  }
}
