import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  getSalesman,
  handOverMerchants,
  listAssignments,
  listAttributionChoices,
  listSalesmanMerchants,
  listSalesmen,
} from "../../contract/index.ts";
import { FromField, startText, today } from "../assignments/FromField.tsx";

type Salesman = OutputOf<typeof getSalesman>;
type Choices = OutputOf<typeof listAttributionChoices>;
const extent = labelled({ all: "全部商户", some: "部分商户" });

/** 移交商户 of one salesman to another, from a day on. */
export function HandOverDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const salesman = useDetail(getSalesman, { id });
  if (salesman.data) return <HandOverForm salesman={salesman.data} onClose={onClose} />;
  return <WaitingDrawer of={salesman} title="移交商户" onClose={onClose} />;
}

function HandOverForm({ salesman, onClose }: { salesman: Salesman; onClose: () => void }): ReactNode {
  const { id, name, merchantCount } = salesman;
  const choices = useDetail(listAttributionChoices, { serviceProviderId: salesman.serviceProviderId }).data;
  const others = choices?.salesmen.filter((one) => one.id !== id) ?? [];
  const form = useForm(handOverMerchants, {
    initial: { id, from: today() },
    refreshes: [listSalesmen, getSalesman, listSalesmanMerchants, listAssignments],
    onDone: ({ count, effectiveFrom }) => {
      success(effectiveFrom > today() ? `${count} 家商户将从 ${effectiveFrom} 起移交` : `已移交 ${count} 家商户`);
      onClose();
    },
    ask: (given) => ({ text: askText(salesman, choices, given), ok: "移交" }),
  });
  const chosen = form.field("merchantIds");
  const count = chosen.value?.length ?? merchantCount;
  return (
    <FormDrawer form={form} title={`移交 ${name} 的商户`} submit={`移交 ${count} 家商户`} onClose={onClose}>
      <Field of={{ ...chosen, name: "extent", error: undefined }} label="移交范围">
        {({ value: _value, onChange: _change, ...f }) => (
          <Radios
            {...f}
            set={extent}
            value={chosen.value === undefined ? "all" : "some"}
            onChange={(given) => chosen.set(given === "all" ? undefined : [])}
          />
        )}
      </Field>
      {chosen.value !== undefined && <MerchantTicks of={chosen} salesman={salesman} />}
      <Field
        of={form.field("toId")}
        label="移交给"
        help={choices && others.length === 0 ? "没有其他启用的业务员，请先新建" : "商户的团队或代理商随接手的业务员"}
      >
        {(f) => <PickOne {...f} options={others.map((one) => ({ value: one.id, label: labelOf(one, choices) }))} />}
      </Field>
      <FromField of={form.field("from")} />
      <p className="note">以前的订单和业绩仍归「{name}」。已预约但未生效的移交由这次代替。</p>
    </FormDrawer>
  );
}

/** A name with the team or agent, where it is known. */
function labelOf(one: Choices["salesmen"][number], choices: Choices | undefined): string {
  const home =
    choices?.teams.find((team) => team.id === one.businessTeamId)?.name ?? choices?.agents.find((agent) => agent.id === one.agentId)?.name;
  return home === undefined ? one.name : `${one.name}（${home}）`;
}
function askText(
  { name, merchantCount }: Salesman,
  choices: Choices | undefined,
  given: { toId?: string; merchantIds?: readonly string[] | undefined; from?: string },
): string {
  const to = choices?.salesmen.find((one) => one.id === given.toId);
  const count = given.merchantIds?.length ?? merchantCount;
  return `将「${name}」的 ${count} 家商户移交给「${to ? labelOf(to, choices) : ""}」，${startText(given.from)}。此后的订单计入接手人，以前的订单和业绩仍归「${name}」。`;
}

function MerchantTicks({ of, salesman }: { of: FormField<string[] | undefined>; salesman: Salesman }): ReactNode {
  const [keyword, setKeyword] = useState("");
  const found = useDetail(listSalesmanMerchants, { id: salesman.id, ...(keyword.trim() && { keyword: keyword.trim().slice(0, 64) }) });
  const rows = found.data?.items ?? [];
  const c = columns<(typeof rows)[number]>();
  const chosen = new Set(of.value);
  const toggle = (keys: readonly string[], on: boolean): void => {
    const rest = (of.value ?? []).filter((key) => !keys.includes(key));
    of.set(on ? [...rest, ...keys] : rest);
  };
  return (
    <Field of={of} label={`商户（已选 ${chosen.size} 家）`}>
      {({ value: _value, onChange: _change, ...f }) => (
        <div {...f} role="group" aria-label="商户">
          {salesman.merchantCount > 10 && (
            <TextInput aria-label="查找商户" placeholder="名称 / 拼音 / 编号" value={keyword} onChange={(text) => setKeyword(text ?? "")} />
          )}
          <DataTable
            label="要移交的商户"
            rows={rows}
            ticks={{ keys: chosen, toggle }}
            columns={[c.text("name", "商户", { width: 150 }), c.text("number", "商户编号", { width: 120 })]}
          />
        </div>
      )}
    </Field>
  );
}
