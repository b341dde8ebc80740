import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { getPlatformGoods, listPlatformGoods, saveGoodsServe } from "../../contract/index.ts";

/** 要上的菜: what the desk shows when somebody brings this voucher. */
export function ServeDrawer({ of, onClose }: { of: { id: string; title: string; serve: string }; onClose: () => void }): ReactNode {
  const form = useForm(saveGoodsServe, {
    initial: { id: of.id, serve: of.serve },
    draft: of.id,
    done: "已保存，核销台会显示",
    refreshes: [listPlatformGoods, getPlatformGoods],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`要上的菜 · ${of.title}`} submit="保存" onClose={onClose}>
      <Field of={form.field("serve")} label="要上的菜" help="店员扫到这张券时看到的：菜名和份数">
        {(f) => <TextArea {...f} maxLength={200} placeholder="冷锅串串 2 份，冰粉 2 碗，酸梅汤 1 壶" />}
      </Field>
    </FormDrawer>
  );
}
