import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getStore, listStoreRows, updateStore } from "../../contract/index.ts";
import { StoreFields } from "./StoreFields.tsx";

/** 修改门店. The phone is not brought back to be edited: an empty field leaves it as it is. */
export function EditStoreDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const store = useDetail(getStore, { id });
  if (store.data) return <EditForm key={store.data.version} store={store.data} onClose={onClose} />;
  return <WaitingDrawer of={store} title="修改门店" onClose={onClose} />;
}

function EditForm({ store, onClose }: { store: OutputOf<typeof getStore>; onClose: () => void }): ReactNode {
  const { id, version } = store;
  const form = useForm(updateStore, {
    initial: {
      id,
      version,
      name: store.name,
      shortName: store.shortName,
      province: store.province ?? undefined,
      city: store.city ?? undefined,
      district: store.district ?? undefined,
      address: store.address ?? undefined,
      opening: store.opening ?? undefined,
      latitude: store.latitude ?? undefined,
      longitude: store.longitude ?? undefined,
    },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listStoreRows, getStore],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改门店 ${store.shortName}`} submit="保存" onClose={onClose}>
      <StoreFields form={form as never} phone={store.phone} />
    </FormDrawer>
  );
}
