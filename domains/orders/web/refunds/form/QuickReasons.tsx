import type { ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";

const REASONS = ["顾客取消", "商品售罄", "重复付款", "金额有误", "商品或服务问题"] as const;

/** The reasons that the counter hears every day, one press away. */
export function QuickReasons({ onPick }: { onPick: (reason: string) => void }): ReactNode {
  return (
    <span className="quick-reasons" role="group" aria-label="常用原因">
      {REASONS.map((reason) => (
        <Button key={reason} small onClick={() => onPick(reason)}>
          {reason}
        </Button>
      ))}
    </span>
  );
}
