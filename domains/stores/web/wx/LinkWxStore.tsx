import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getWxStore, linkWxStore, listWxStores } from "../../contract/index.ts";

/** 关联: a store that WeChat Pay has already; its number is asked for there before it is kept. */
export function LinkWxStore({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const store = useDetail(getWxStore, { id });
  if (store.data) return <LinkForm key={store.data.wxStoreId} store={store.data} onClose={onClose} />;
  return <WaitingDrawer of={store} title="关联" onClose={onClose} />;
}

function LinkForm({ store, onClose }: { store: OutputOf<typeof getWxStore>; onClose: () => void }): ReactNode {
  const form = useForm(linkWxStore, {
    initial: { id: store.id, ...(store.wxStoreId && { wxStoreId: store.wxStoreId }) },
    draft: store.id,
    done: "已关联",
    refreshes: [listWxStores, getWxStore],
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
