import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type PayTool, payTool } from "../../../../channels/contract.ts";
import type { previewRefund, previewRefundRequest } from "../../../contract/index.ts";
import "../../orders.css";

/** What each party gets back; whether it waits and why it would be refused, where that is still open. */
type Parties = OutputOf<typeof previewRefundRequest> & Partial<Pick<OutputOf<typeof previewRefund>, "needsApproval" | "refusal">>;

/** What goes back to whom, reckoned by the server while the amount is typed. */
export function RefundPreview({
  tool,
  preview,
  error,
  retry,
}: {
  tool: PayTool;
  preview?: Parties | undefined;
  error?: ApiError | null;
  retry: () => void;
}): ReactNode {
  return (
    <section className="refund-preview" aria-live="polite" aria-label="退款试算">
      <h3>退给谁</h3>
      <dl>
        <Line label="顾客收到" note={`经${payTool.label(tool)}原路退回`}>
          <Money cents={preview?.payerCents} symbol />
        </Line>
        <Line label="手续费退回商户" note="按退款比例">
          <Money cents={preview?.feeBackCents} symbol />
        </Line>
        {preview?.shares.map((share) => (
          <Line
            key={`${share.alias}${share.account}${share.refusal}`}
            label={share.refusal === null ? `${share.alias}退回分账` : `${share.alias}的分账由商户承担`}
            note={
              share.refusal ??
              [share.account, `原分 ¥${yuan(share.sharedCents)}`, share.done ? "上次已退回" : "先回退再退款"].filter(Boolean).join("，")
            }
          >
            <Money cents={share.returnCents} symbol />
          </Line>
        ))}
        {preview?.clawback.map(({ name, cents }) => (
          <Line key={name} label={`${name}退回分成`} note="含在退回的手续费里">
            <Money cents={cents} symbol />
          </Line>
        ))}
        <Line label="商户实际支出" note={preview?.sharesBackCents ? "顾客收到 − 手续费退回 − 分账退回" : "顾客收到 − 手续费退回"}>
          <Money cents={preview?.merchantPaysCents} symbol />
        </Line>
      </dl>
      {error && !preview && (
        <p className="notice notice-bad">
          试算没有成功：{error.message}{" "}
          <Button tone="link" onClick={retry}>
            重试
          </Button>
        </p>
      )}
      {preview?.needsApproval && <p className="notice notice-warn">金额超过本商户的退款审批额度：提交后等待审批，通过后才会退款。</p>}
      {preview?.refusal && <p className="notice notice-bad">{preview.refusal}</p>}
    </section>
  );
}

function Line({ label, note, children }: { label: string; note: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>
        {label}
        <small className="note">{note}</small>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
