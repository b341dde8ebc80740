import { type ReactNode, useState } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { getShift, handOver, listHandovers } from "../../../contract/index.ts";
import { beforehandOf, perCashier, type Shift } from "../shift-sums.ts";

/** 交班: fixes the figures that stand here, up to the last entry that was seen. What is taken meanwhile belongs to the next shift. */
export function HandoverDrawer({
  shift: given,
  onClose,
  onDone,
}: {
  shift: Shift;
  onClose: () => void;
  onDone: (handoverId: string) => void;
}): ReactNode {
  const [shift] = useState(given);
  const { storeId, cashierId, lastHandoverId, lastEntryId, total, outside } = shift;
  const outsideCents = outside.reduce((sum, { cents }) => sum + cents, 0) as Cents;
  const who = cashierId === null ? "全店" : (shift.rows[0]?.cashierName ?? "");
  const form = useForm(handOver, {
    initial: {
      storeId,
      ...(cashierId !== null && { cashierId }),
      lastHandoverId,
      ...(lastEntryId !== null && { lastEntryId }),
      outsideCents,
    },
    draft: `${storeId}:${cashierId ?? ""}:${lastEntryId ?? ""}`,
    done: "已交班",
    refreshes: [getShift, listHandovers],
    onDone: ({ id }) => onDone(id),
  });
  return (
    <FormDrawer form={form} title={`交班 ${shift.storeName} · ${who}`} submit={`确认交班 ¥${yuan(total.netCents)}`} onClose={onClose}>
      <div>
        <HeroLine label="净收款" amount={total.netCents} />
        <ThisShift of={shift} />
        {cashierId === null && (
          <Group
            title="各收银员净收款"
            pairs={perCashier(shift.rows).map((group) => [group.cashierName, <Money cents={group.total.netCents} symbol />])}
          />
        )}
      </div>
      <Field of={form.field("note")} label="交接说明" optional help="交班后不能修改；交班之后的收款计入下一班">
        {(f) => <TextArea {...f} maxLength={200} />}
      </Field>
    </FormDrawer>
  );
}

/** What the shift took and gave back; what passed no channel stands beside it and is handed over too. */
function ThisShift({ of: { total, outside, fromAt, toAt } }: { of: Shift }): ReactNode {
  return (
    <Group
      title="本班"
      pairs={[
        ["开始", fromAt === null ? "从未交班" : <Time at={fromAt} />],
        ["截至", <Time at={toAt} />],
        [
          "实收",
          <>
            <Money cents={total.paidCents} symbol />（{total.payCount} 笔）
          </>,
        ],
        [
          "退款",
          <>
            <Money cents={total.refundCents} symbol />（{total.refundCount} 笔）
          </>,
        ],
        ...beforehandOf(total).map(([name, cents]) => [name, <Money cents={cents} symbol />] as const),
        ["手续费", <Money cents={total.feeCents} symbol />],
        ["优惠", <Money cents={total.discountCents} symbol />],
        ["储值支付", <Money cents={total.storedCents} symbol />],
        ...outside.map(
          ({ name, count, cents }) =>
            [
              `另收${name}`,
              <>
                <Money cents={cents} symbol />（{count} 笔，不经通道，一并交接）
              </>,
            ] as const,
        ),
      ]}
    />
  );
}
