import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { assignMerchants, getMerchant, listAssignments, listAttributionChoices, listMerchantRows } from "../../../contract/index.ts";
import { FromField, startText, today } from "../../assignments/FromField.tsx";
import { choicesOf } from "../choices.ts";

const NOBODY = "none";
const nobody = labelled({ none: "（取消归属）" });

/** 调整归属 of the ticked merchants, or of the whole filter. */
export function AssignMerchants({
  selection,
  open,
  onOpen,
  onClose,
}: {
  selection: Selection;
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
}): ReactNode {
  return (
    <>
      <Button small tone="primary" onClick={onOpen}>
        调整归属
      </Button>
      {open && <AssignDrawer selection={selection} onClose={onClose} />}
    </>
  );
}

function AssignDrawer({ selection, onClose }: { selection: Selection; onClose: () => void }): ReactNode {
  const { level } = useUser();
  const { count } = selection;
  const serviceProviderId = selection.filters["serviceProviderId"];
  const choices = useDetail(listAttributionChoices, { ...(serviceProviderId && { serviceProviderId }) }).data;
  const form = useForm(assignMerchants, {
    initial: { ...(selection.all ? { filter: selection.filters } : { ids: [...selection.ids] }), from: today() },
    refreshes: [listMerchantRows, getMerchant, listAssignments],
    onDone: (answer) => {
      success(
        answer.effectiveFrom > today()
          ? `${answer.count} 家商户的归属将从 ${answer.effectiveFrom} 起调整`
          : `已调整 ${answer.count} 家商户的归属`,
      );
      selection.clear();
      onClose();
    },
    ask: ({ from }) =>
      `将调整 ${count} 家商户的归属，${startText(from)}。此后的订单按新的归属统计和分润，以前的订单不变；已预约但未生效的调整由这次代替。`,
  });
  const pick = (of: FormField<string | null | undefined>, label: string, rows: Parameters<typeof choicesOf>[0], help?: string) => (
    <Field of={of} label={label} optional help={help ?? "不选则不变"}>
      {(f) => (
        <PickOne
          {...f}
          value={f.value === null ? NOBODY : f.value}
          onChange={(given) => f.onChange(given === NOBODY ? null : given)}
          options={[...nobody.options, ...choicesOf(rows)]}
        />
      )}
    </Field>
  );
  return (
    <FormDrawer form={form} title={`调整 ${count} 家商户的归属`} submit={`调整 ${count} 家商户`} onClose={onClose}>
      {level === "ADMIN" && !serviceProviderId && (
        <p className="note">先按服务商筛选列表，再选择要调整的商户：归属只在一个服务商内调整。</p>
      )}
      {pick(form.field("agentId"), "代理商", choices?.agents)}
      {pick(form.field("businessTeamId"), "业务团队", choices?.teams)}
      {pick(form.field("salesmanId"), "业务员", choices?.salesmen, "不选则不变；选择后带出他的团队或代理商")}
      <FromField of={form.field("from")} />
    </FormDrawer>
  );
}
