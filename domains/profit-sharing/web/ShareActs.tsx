import { type ReactNode, useState } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { finishSharing, recordShare, retryShare } from "../contract/index.ts";
import { RecordShareDrawer } from "./records/RecordForms.tsx";
import { shareReads, type Share, type ShareDetails } from "./shared.ts";

/** 重新分账: the amount is reckoned anew by the rule and by what was refunded meanwhile; where some got theirs, for the others alone. */
export function RetryShare({ share, tone }: { share: Share; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(shareReads);
  if (!share.retryable) return null;
  const retry = async (): Promise<void> => {
    const text =
      share.kind === "unfreeze"
        ? `订单 ${share.orderNo}（${share.storeName}）的剩余资金将再次申请解冻给商户。`
        : share.status === 2
          ? `分账 ${share.shareNo}（订单 ${share.orderNo}，${share.storeName}）未到账的 ¥${yuan(share.failedCents)} 将向未到账的接收方再提交一笔新的分账，已到账的不变。订单有退款时按剩余金额计算。`
          : `分账 ${share.shareNo}（订单 ${share.orderNo}，${share.storeName}）将按现在的规则重新计算后再次提交，上次为 ¥${yuan(share.amountCents)}。`;
    if (!(await confirm(text, { ok: share.status === 2 ? `补分 ¥${yuan(share.failedCents)}` : "重新提交", danger: true }))) return;
    await run(async () => {
      await call(retryShare, { requestId: crypto.randomUUID(), id: share.id });
      success("已重新提交");
    });
  };
  return (
    <Act of={retryShare}>
      <Button tone={tone} busy={busy} onClick={() => void retry()}>
        {share.status === 2 ? "补分" : "重试"}
      </Button>
    </Act>
  );
}

/** 完结: what is left goes to the merchant, and nothing can be shared after it. */
export function FinishSharing({ share }: { share: Share }): ReactNode {
  const [busy, run] = useRun(shareReads);
  if (!share.finishable) return null;
  const finish = async (): Promise<void> => {
    const text = `订单 ${share.orderNo}（${share.storeName}，实收 ¥${yuan(share.orderPaidCents)}）未分的剩余资金将全部解冻给商户，之后不能再分账。`;
    if (!(await confirm(text, { ok: "完结分账", danger: true }))) return;
    await run(async () => {
      await call(finishSharing, { requestId: crypto.randomUUID(), orderId: share.orderId });
      success("已提交完结");
    });
  };
  return (
    <Act of={finishSharing}>
      <Button busy={busy} onClick={() => void finish()}>
        完结
      </Button>
    </Act>
  );
}

/** 登记结果: where the channel has not answered for a day, what people found out stands beside it. */
export function RecordShare({ share }: { share: ShareDetails }): ReactNode {
  const [open, setOpen] = useState(false);
  if (!share.recordable) return null;
  return (
    <Act of={recordShare}>
      <Button onClick={() => setOpen(true)}>登记结果</Button>
      {open && <RecordShareDrawer share={share} onClose={() => setOpen(false)} />}
    </Act>
  );
}
