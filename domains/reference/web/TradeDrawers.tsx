import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { labelled, type Labelled } from "@zhangfang/contract/labelled.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, RateInput, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { addTrade, listTradeChoices, listTrades, updateTrade } from "../contract.ts";
import type { Trade } from "./trade.ts";

const refreshes = [listTrades, listTradeChoices];

/** 新增行业: a group, or a trade in one. */
export function AddTradeDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addTrade, { initial: { certificates: [] }, done: "已新增行业", refreshes, onDone: onClose });
  const { data } = useQuery({
    queryKey: [listTrades.path, "groups"],
    queryFn: ({ signal }) => call(listTrades, { pageSize: 100 }, { signal }),
  });
  const groups = labelled(
    Object.fromEntries((data?.items ?? []).filter((row) => row.parentId === null).map(({ id, name }) => [id, name])),
  ) as Labelled<string>;
  return (
    <FormDrawer form={form} title="新增行业" submit="新增" onClose={onClose}>
      <Field of={form.field("parentId")} label="所属大类" optional help="不选则新增的是大类">
        {(f) => <Pick {...f} set={groups} placeholder="作为大类" />}
      </Field>
      <TradeFields form={form} />
    </FormDrawer>
  );
}

/** 编辑行业. The name of a trade that merchants have can't change. */
export function EditTradeDrawer({ trade, onClose }: { trade: Trade; onClose: () => void }): ReactNode {
  const form = useForm(updateTrade, {
    initial: { id: trade.id, name: trade.name, feeRate: trade.feeRate, certificates: trade.certificates },
    draft: trade.id,
    done: `已修改「${trade.name}」`,
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`编辑行业 ${trade.name}`} submit="保存" onClose={onClose}>
      <TradeFields form={form} used={trade.merchants} />
    </FormDrawer>
  );
}

function TradeFields({ form, used = 0 }: { form: Form<typeof addTrade> | Form<typeof updateTrade>; used?: number }): ReactNode {
  const { field } = form as Form<typeof updateTrade>;
  const rate = field("feeRate");
  const certificates = field("certificates");
  const lines: FormField<string> = {
    ...certificates,
    value: certificates.value?.join("\n"),
    set: (text) => certificates.set(text === undefined || text === "" ? [] : text.split("\n")),
  };
  return (
    <>
      <Field of={field("name")} label="行业名称" help={used > 0 ? `已有 ${used} 家商户属于它，不能改名` : undefined}>
        {(f) => <TextInput {...f} maxLength={32} disabled={used > 0} />}
      </Field>
      <Field
        of={{ ...rate, value: rate.value ?? undefined } as FormField<number>}
        label="费率"
        optional
        help="不填则随大类，大类不填则随服务商"
      >
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={lines} label="所需证照" optional help="一行一种，如：食品经营许可证">
        {(f) => <TextArea {...f} rows={4} />}
      </Field>
    </>
  );
}
