import type { ReactNode } from "react";
import { percent, yuan } from "@zhangfang/contract/money.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { previewShare, relationType, sendShare, sharingWallet } from "../contract/index.ts";
import { type Preview, shareReads } from "./shared.ts";

/** 分账: who gets how much, to the cent, before it is sent; where it cannot be, why not. */
export function SendShareDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const preview = useDetail(previewShare, { id });
  const plan = preview.data;
  if (!plan) return <WaitingDrawer title="分账" of={preview} onClose={onClose} />;
  if (plan.refusal === null) return <SendForm id={id} plan={plan} onClose={onClose} />;
  return (
    <Drawer title="分账" onClose={onClose}>
      <Plan plan={plan} />
    </Drawer>
  );
}

function SendForm({ id, plan, onClose }: { id: string; plan: Preview; onClose: () => void }): ReactNode {
  const amount = `¥${yuan(plan.totalCents)}`;
  const form = useForm(sendShare, {
    initial: { id },
    done: "已提交分账",
    refreshes: [...shareReads, previewShare],
    onDone: onClose,
    ask: () => ({
      text: `订单 ${plan.orderNo}（${plan.storeName}）分给 ${plan.lines.length} 个接收方共 ${amount}，由${sharingWallet.label(plan.wallet)}划到接收方账户${plan.unfreeze ? `，其余 ¥${yuan(plan.restCents)} 解冻给商户` : ""}。`,
      ok: `确认分账 ${amount}`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="分账" submit={`确认分账 ${amount}`} danger onClose={onClose}>
      <Plan plan={plan} />
    </FormDrawer>
  );
}

function Plan({ plan }: { plan: Preview }): ReactNode {
  const c = columns<Preview["lines"][number]>();
  return (
    <>
      <HeroLine label="分账金额" amount={plan.totalCents} />
      {plan.refusal && <p className="notice notice-bad">{plan.refusal}</p>}
      {plan.cappedCents !== null && plan.refusal === null && (
        <p className="notice notice-warn">按比例超过通道允许的上限，已降到 ¥{yuan(plan.cappedCents)}，再按比例分配。</p>
      )}
      <Group
        title="怎样算出来的"
        pairs={[
          ["订单", plan.orderNo],
          ["实收", <Money cents={plan.paidCents} symbol />],
          ["手续费", <Money cents={plan.feeCents} symbol />],
          ["已退和退款中", <Money cents={plan.refundedCents} symbol />],
          ["分账基数", <Money cents={plan.baseCents} symbol />],
          ["留给商户", <Money cents={plan.restCents} symbol />],
        ]}
      />
      <Group title="分给谁">
        <DataTable
          label="分账明细"
          density="compact"
          rows={plan.lines}
          rowKey={(line) => line.receiverId}
          columns={[
            c.text("alias", "接收方", { width: 104 }),
            c.code("relation", "关系", relationType, { width: 72 }),
            c.text("ratio", "比例", (line) => percent(line.ratio), { width: 64 }),
            c.money("partCents", "金额（元）", { width: 96 }),
          ]}
        />
      </Group>
    </>
  );
}
