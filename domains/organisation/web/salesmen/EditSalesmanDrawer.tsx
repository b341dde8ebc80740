import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getSalesman, listSalesmen, updateSalesman } from "../../contract/index.ts";

/** 修改业务员, over the version that is read here. */
export function EditSalesmanDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const salesman = useDetail(getSalesman, { id });
  if (salesman.data) return <EditForm key={salesman.data.version} salesman={salesman.data} onClose={onClose} />;
  return <WaitingDrawer of={salesman} title="修改业务员" onClose={onClose} />;
}

function EditForm({ salesman, onClose }: { salesman: OutputOf<typeof getSalesman>; onClose: () => void }): ReactNode {
  const { id, version, name } = salesman;
  const form = useForm(updateSalesman, {
    initial: { id, version, name },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listSalesmen, getSalesman],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改业务员 ${name}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="姓名">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("phone")} label="手机号" optional help="不修改请留空">
        {(f) => (
          <TextInput
            {...f}
            onChange={(given) => f.onChange(given === "" ? undefined : given)}
            placeholder={salesman.phone ?? ""}
            inputMode="tel"
            maxLength={13}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
