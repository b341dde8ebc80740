import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { getActingPolicy, setActingPolicy } from "../../contract/index.ts";

/** 代管设置: whether those who log in as somebody of this provider's tree may change things there. */
export function ActingPolicyDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const policy = useDetail(getActingPolicy, {});
  if (policy.data) return <PolicyForm policy={policy.data} onClose={onClose} />;
  return <WaitingDrawer of={policy} title="代管设置" onClose={onClose} />;
}

function PolicyForm({ policy, onClose }: { policy: OutputOf<typeof getActingPolicy>; onClose: () => void }): ReactNode {
  const form = useForm(setActingPolicy, {
    initial: { writes: policy.writes },
    done: "已保存，对进行中的代管登录立即生效",
    refreshes: [getActingPolicy],
    onDone: onClose,
    ask: ({ writes }) =>
      writes
        ? { text: "允许代管登录修改数据？平台及上级账号代管本服务商任何账号时都可修改，每次修改记录双方账号。", ok: "允许修改" }
        : undefined,
  });
  return (
    <FormDrawer form={form} title="代管设置" submit="保存" onClose={onClose}>
      <Field
        of={form.field("writes")}
        label="代管登录时修改数据"
        help="关闭时，代管登录只能查看。密码、密钥、账号和提现任何时候都不对代管登录开放。"
      >
        {(f) => <Switch {...f} label={f.value ? "允许修改" : "只能查看"} />}
      </Field>
      {policy.changedAt && (
        <p className="note">
          {policy.changedBy} 于 <Time at={policy.changedAt} /> 修改
        </p>
      )}
    </FormDrawer>
  );
}
