import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { decideEvidence, evidenceKind, evidenceState, listRefundEvidence, proveRefund, redirectRefund } from "../../../contract/index.ts";
import { ProveRefundDrawer, RedirectRefundDrawer, RejectEvidenceDrawer } from "./AbnormalForms.tsx";
import { refundReads } from "../refund-reads.ts";
import type { Refund } from "../refund-words.ts";

type Evidence = OutputOf<typeof listRefundEvidence>["items"][number];

/** 异常退款: what was done for a refund that could not go back the way it came, and what may be done now. */
export function AbnormalRefund({ refund }: { refund: Refund }): ReactNode {
  const client = useQueryClient();
  const [form, setForm] = useState<{ readonly what: "redirect" | "prove" | "reject"; readonly id?: string }>();
  const evidence = useDetail(listRefundEvidence, { refundId: refund.id });
  const close = (): void => setForm(undefined);
  const accept = async (one: Evidence): Promise<void> => {
    const text = `确认付款人已通过线下转账（流水号 ${one.transferNo}）收到 ¥${yuan(refund.amountCents)}？退款 ${refund.refundNo} 将记为已退款，不能撤回。`;
    if (!(await confirm(text, { ok: "确认收到", danger: true }))) return;
    try {
      await call(decideEvidence, { id: one.id, decision: "confirm" });
      success(`已复核，退款 ¥${yuan(refund.amountCents)} 完成`);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
    }
    for (const { path } of [...refundReads, listRefundEvidence]) void client.invalidateQueries({ queryKey: [path] });
  };
  const items = evidence.data?.items ?? [];
  if (items.length === 0 && !evidence.data?.redirectable) return null;
  return (
    <Group title="异常退款处理">
      {evidence.data?.redirectable && (
        <p className="notice notice-warn">
          付款人的卡已失效、零钱已注销时，通道退不回去。可以退到付款人的另一张借记卡，或线下转账后提交凭证，由另一人复核。
        </p>
      )}
      {items.map((one) => (
        <EvidenceFacts key={one.id} one={one} onAccept={() => void accept(one)} onReject={() => setForm({ what: "reject", id: one.id })} />
      ))}
      {evidence.data?.redirectable && (
        <p className="refund-acts">
          <Act of={redirectRefund}>
            <Button tone="danger" onClick={() => setForm({ what: "redirect" })}>
              退到银行账户
            </Button>
          </Act>
          <Act of={proveRefund}>
            <Button onClick={() => setForm({ what: "prove" })}>提交转账凭证</Button>
          </Act>
        </p>
      )}
      {form?.what === "redirect" && (
        <RedirectRefundDrawer refund={refund} needsPassword={evidence.data?.needsPassword ?? false} onClose={close} />
      )}
      {form?.what === "prove" && <ProveRefundDrawer refund={refund} onClose={close} />}
      {form?.id !== undefined && <RejectEvidenceDrawer id={form.id} refund={refund} onClose={close} />}
    </Group>
  );
}

function EvidenceFacts({ one, onAccept, onReject }: { one: Evidence; onAccept: () => void; onReject: () => void }): ReactNode {
  return (
    <Group
      title={evidenceKind.label(one.kind)}
      pairs={[
        ["状态", <StatusTag of={evidenceState} code={one.state} />],
        ["提交", <Time at={one.createdAt} />],
        ["提交人", one.byName],
        ...(one.kind === "card" ? ([["收款账户", `${one.bank} 尾号 ${one.accountTail} ${one.name}`]] as const) : []),
        ...(one.kind === "transfer"
          ? ([
              ["银行流水号", one.transferNo],
              ["说明", one.note],
            ] as const)
          : []),
        ...(one.decidedByName
          ? ([
              ["复核人", one.decidedByName],
              ["复核意见", one.decisionNote],
            ] as const)
          : []),
      ]}
    >
      {one.decidable && (
        <p className="refund-acts">
          <Button tone="primary" onClick={onAccept}>
            确认收到
          </Button>
          <Button onClick={onReject}>驳回</Button>
        </p>
      )}
    </Group>
  );
}
