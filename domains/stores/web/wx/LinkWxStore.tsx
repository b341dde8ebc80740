import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { linkWxStore, listWxStores } from "../../contract/index.ts";

/** 关联: a store that WeChat Pay has already; its number is asked for there before it is kept. */
export function LinkWxStore({ store, onClose }: { store: RowOf<typeof listWxStores>; onClose: () => void }): ReactNode {
  const form = useForm(linkWxStore, {
    initial: { id: store.id, ...(store.wxStoreId && { wxStoreId: store.wxStoreId }) },
    draft: store.id,
    done: "已关联",
    refreshes: [listWxStores],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`关联 ${store.name}`} submit="关联" onClose={onClose}>
      <Field of={form.field("wxStoreId")} label="微信门店 ID" help="在微信支付商户平台的营销中心、门店管理里查看">
        {(f) => <TextInput {...f} inputMode="numeric" maxLength={16} autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
