import type { ReactNode } from "react";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import "./vip.css";

/** What was sold at the office, until the customer has paid it: the code, or what became of it. */
export function PayByCode({
  title,
  sold,
  paid,
  onClose,
}: {
  title: string;
  sold: { readonly codeUrl: string | null; readonly cents: Cents; readonly expiresAt: Instant };
  /** undefined while it is waited for. */
  paid: "paid" | "closed" | undefined;
  onClose: () => void;
}): ReactNode {
  return (
    <Drawer
      title={title}
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={onClose}>
          {paid === undefined ? "先关闭，稍后在列表查看" : "完成"}
        </Button>
      }
    >
      <HeroLine label="应付" amount={sold.cents} />
      {paid === "paid" && <p className="notice">顾客已付款，已经生效</p>}
      {paid === "closed" && <p className="notice notice-warn">没有付款，订单已关闭</p>}
      {paid === undefined && sold.codeUrl !== null && (
        <div className="vip-pay-code">
          <QrCode text={sold.codeUrl} label="付款码" size={232} />
          <p>请顾客用手机扫码付款</p>
          <p className="note">
            <Time at={sold.expiresAt} /> 前有效
          </p>
        </div>
      )}
    </Drawer>
  );
}
