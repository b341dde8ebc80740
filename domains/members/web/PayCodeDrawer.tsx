import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getPayCodeDoor, setPayCodeDoor } from "../contract/index.ts";

/** 付款码识别: a switch, and the key of the API behind it. */
export function PayCodeDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const door = useDetail(getPayCodeDoor, {});
  return door.data ? <Form door={door.data} onClose={onClose} /> : <WaitingDrawer of={door} title="付款码识别" onClose={onClose} />;
}
function Form({ door, onClose }: { door: OutputOf<typeof getPayCodeDoor>; onClose: () => void }): ReactNode {
  const form = useForm(setPayCodeDoor, {
    initial: { opened: door.opened },
    draft: false,
    done: "已保存",
    refreshes: [getPayCodeDoor],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="付款码识别" submit="保存" onClose={onClose}>
      <p className="note">
        开通后，收银端扫顾客的微信付款码或刷脸，就能认出付过款的会员并攒积分；用积分和储值还要支付密码。识别过的付款码只能在本商户付款。
      </p>
      <Field of={form.field("opened")} label="付款码识别">
        {(f) => <Switch {...f} value={f.value as boolean} label="扫付款码识别会员" />}
      </Field>
      <Field
        of={form.field("apiKey")}
        label="APIv2 密钥"
        optional={door.keyTail !== null}
        help={door.keyTail === null ? "微信支付商户平台的 APIv2 密钥，和 APIv3 密钥不是同一个" : `现在是 ****${door.keyTail}，不改就留空`}
      >
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} type="password" autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
