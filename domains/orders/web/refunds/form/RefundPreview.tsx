import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type PayTool, payWallet, walletOf } from "../../../../channels/contract.ts";
import type { previewRefund, previewRefundRequest } from "../../../contract/index.ts";
import "../../orders.css";

/** What each party gets back; whether it waits and why it would be refused, where that is still open. */
type Parties = Omit<OutputOf<typeof previewRefundRequest>, OfMember> &
  Partial<Pick<OutputOf<typeof previewRefund>, OfMember | "needsApproval" | "refusal" | "holds" | "invoices">>;
type OfMember = "principalCents" | "giftCents" | "pointsBack" | "pointsClawed" | "coupons" | "gifts";

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
        <Line label="顾客收到" note={tool === 99 ? "没有付款，不经通道" : `原路退回${payWallet.label(walletOf(tool))}`}>
          <Money cents={preview?.payerCents} symbol />
        </Line>
        {preview && <ToMember preview={preview} />}
        <Line label="手续费退回商户" note="按退款比例">
          <Money cents={preview?.feeBackCents} symbol />
        </Line>
        {preview?.shares.map((share) => (
          <Line
            key={`${share.alias}${share.account}${share.refusal}`}
            label={share.refusal === null ? `${share.alias}退回分账` : `${share.alias}的分账由商户承担`}
            note={
              share.refusal ??
              [share.account && `账号 ${share.account}`, `原分 ¥${yuan(share.sharedCents)}`, share.done ? "上次已退回" : "先回退再退款"]
                .filter(Boolean)
                .join("，")
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
      {preview?.holds && <p className="notice notice-warn">{preview.holds}。</p>}
      {preview?.invoices && <p className="notice">发票：{preview.invoices}。</p>}
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

/** What goes back to the member, and what is taken back: of what they brought or got with the order. Given value is no money. */
function ToMember({ preview }: { preview: Parties }): ReactNode {
  const { principalCents = 0, giftCents = 0, pointsBack = 0, pointsClawed = 0, coupons = [], gifts = [] } = preview;
  return (
    <>
      {principalCents > 0 && (
        <Line label="退回储值本金" note="回到会员的储值">
          <Money cents={principalCents as Cents} symbol />
        </Line>
      )}
      {giftCents > 0 && (
        <Line label="退回储值赠送" note="回到会员的储值，不可退现">
          <Money cents={giftCents as Cents} />
        </Line>
      )}
      {pointsBack > 0 && (
        <Line label="退回积分" note="抵扣时用掉的">
          {pointsBack}
        </Line>
      )}
      {pointsClawed > 0 && (
        <Line label="扣回积分" note="这笔订单得到的；不够扣的记为欠分">
          −{pointsClawed}
        </Line>
      )}
      {coupons.map(({ no, name, back, why }) => (
        <Line key={no} label={name} note={why}>
          {back ? "退回" : "不退"}
        </Line>
      ))}
      {gifts.map((gift) => (
        <Line key={gift} label="随单赠送" note="">
          {gift}
        </Line>
      ))}
    </>
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
