import type { ReactNode } from "react";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { listStoreRows, openStore, summariseStores } from "../../contract/index.ts";
import { StoreFields } from "./StoreFields.tsx";

/** 新建门店: those above choose the merchant, a merchant's people open their own. */
export function OpenStoreDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const { level } = useUser();
  const form = useForm(openStore, {
    initial: {},
    draft: "new",
    done: "门店已建好",
    refreshes: [listStoreRows, summariseStores],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建门店" submit="新建门店" onClose={onClose}>
      {level !== "MCH" && (
        <Field of={form.field("merchantId")} label="商户">
          {(f) => <OrgPicker {...f} level="merchantId" className="pick" />}
        </Field>
      )}
      <StoreFields form={form as never}>
        <Field of={form.field("number")} label="门店编号" optional help="留空由系统生成，建后不能修改">
          {(f) => <TextInput {...f} onChange={(given) => f.onChange(given === "" ? undefined : given)} maxLength={20} autoComplete="off" />}
        </Field>
      </StoreFields>
    </FormDrawer>
  );
}
