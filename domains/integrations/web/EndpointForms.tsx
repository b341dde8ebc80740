import { Select } from "@zhangfang/web/select/Select.tsx";
import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { MerchantPicks } from "@zhangfang/web/form/MerchantPicks.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addPushEndpoint, getPushEndpoint, listenable, listPushEndpoints, pushEvent, updatePushEndpoint } from "../contract/index.ts";
import type { Endpoint } from "./EndpointDrawer.tsx";

const READS = [listPushEndpoints, getPushEndpoint];
const OPTIONS = listenable.map((type) => ({ value: type, label: `${type} ${pushEvent.label(type)}` }));

export function AddEndpoint({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const form = useForm(addPushEndpoint, {
    initial: { name: "", url: "", events: [], merchantIds: [] },
    done: "已新建",
    refreshes: READS,
    onDone: ({ id }) => onMade(id),
  });
  return (
    <FormDrawer form={form} title="新建推送地址" submit="新建" onClose={onClose}>
      <Facts form={form as never} known={{}} />
    </FormDrawer>
  );
}
export function EditEndpoint({ row, onClose }: { row: Endpoint; onClose: () => void }): ReactNode {
  const { id, revision, name, url, events, merchants } = row;
  const form = useForm(updatePushEndpoint, {
    initial: { id, revision, name, url, events, merchantIds: (merchants ?? []).map((one) => one.id) },
    draft: false,
    done: "已保存",
    refreshes: READS,
    onDone: onClose,
    ask: (values) =>
      values.url !== url && row.waiting > 0
        ? { text: `等着的 ${row.waiting.toLocaleString("en-US")} 条也会推到新地址。保存？`, ok: "保存" }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`修改 ${name}`} submit="保存" onClose={onClose}>
      <Facts form={form} known={Object.fromEntries((merchants ?? []).map((one) => [one.id, one.name]))} />
    </FormDrawer>
  );
}
function Facts({ form, known }: { form: Form<typeof updatePushEndpoint>; known: Readonly<Record<string, string>> }): ReactNode {
  return (
    <>
      <Field of={form.field("name")} label="名称" help="自己认得就行，如 总部 ERP">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("url")} label="接收地址" help="https，443 或 8443 端口，公网域名；15 秒内回 2xx 算收到">
        {(f) => <TextInput {...f} type="url" maxLength={500} placeholder="https://erp.example.com/hooks" autoComplete="off" />}
      </Field>
      <Field
        of={form.field("events")}
        label="事件"
        help={
          <Button tone="link" onClick={() => form.set({ events: [...listenable] })}>
            全选 {listenable.length} 种
          </Button>
        }
      >
        {(f) => (
          <Select
            id={f.id}
            aria-invalid={f["aria-invalid"]}
            aria-describedby={f["aria-describedby"]}
            mode="multiple"
            className="pick"
            allowClear
            placeholder="选事件，可多选"
            options={OPTIONS}
            optionFilterProp="label"
            value={(f.value ?? []).filter((type) => type !== "push.test")}
            onChange={(types: (typeof listenable)[number][]) => f.onChange(types)}
          />
        )}
      </Field>
      <Field of={form.field("merchantIds")} label="商户" optional help="不选就是全部商户，提现等不属于商户的事件也推">
        {(f) => <MerchantPicks {...f} known={known} />}
      </Field>
    </>
  );
}
