import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { getAbnormalLimits, setAbnormalLimits } from "../../contract/abnormal.ts";

interface Props {
  readonly serviceProviderId: string | undefined;
  readonly onClose: () => void;
}
/** 设置条件: from when on a store counts as abnormal, for one provider. */
export function LimitsDrawer({ serviceProviderId, onClose }: Props): ReactNode {
  const { level } = useUser();
  const unnamed = level === "ADMIN" && serviceProviderId === undefined;
  const limits = useDetail(getAbnormalLimits, unnamed ? undefined : { ...(serviceProviderId && { serviceProviderId }) });
  if (limits.data) return <Form limits={limits.data} serviceProviderId={serviceProviderId} onClose={onClose} />;
  return (
    <Drawer title="设置条件" onClose={onClose}>
      {unnamed ? (
        <p className="note">条件属于服务商：请先在列表中筛选一个服务商，再设置条件。</p>
      ) : limits.error ? (
        <Failure error={limits.error as ApiError} retry={() => void limits.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Drawer>
  );
}

function Form({ limits, serviceProviderId, onClose }: Props & { limits: OutputOf<typeof getAbnormalLimits> }): ReactNode {
  const form = useForm(setAbnormalLimits, {
    initial: { ...limits, ...(serviceProviderId && { serviceProviderId }) },
    draft: `${serviceProviderId ?? "own"}:${limits.version}`,
    done: "已保存，明天早上按新条件检查",
    refreshes: [getAbnormalLimits],
    onDone: onClose,
  });
  const number = (name: "silentDays" | "dropPercent" | "refundPercent" | "offlineHours", label: string, unit: string, help: string) => (
    <Field of={form.field(name)} label={label} help={help}>
      {(f) => <NumberInput {...f} unit={unit} />}
    </Field>
  );
  return (
    <FormDrawer form={form} title="设置条件" submit="保存" onClose={onClose}>
      {number("silentDays", "无订单", "天", "连续这么多个整天没有订单，1 到 60 天")}
      {number("dropPercent", "交易骤降", "%", "近 7 天实收比前 4 周平均低这么多，10% 到 95%；平均每周不足 10 笔的不算")}
      {number("refundPercent", "退款率高", "%", "近 7 天退款笔数占支付笔数超过这么多，1% 到 100%；不足 20 笔的不算")}
      {number("offlineHours", "设备离线", "小时", "设备这么久没有心跳，1 到 720 小时")}
    </FormDrawer>
  );
}
