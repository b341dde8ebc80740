import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { getMember, getMemberAccount, getMemberTimeline } from "../../members/contract/index.ts";
import { adjustPoints, listPointAdjustments, listPointEntries, pointReason, summarisePointAdjustments } from "../contract/index.ts";

const READS = [listPointAdjustments, summarisePointAdjustments, listPointEntries, getMember, getMemberAccount, getMemberTimeline];

/** 调整积分, of whoever is typed, or of the member whose page it is. */
export function AdjustPointsDrawer({ memberNo, onClose }: { memberNo?: string; onClose: () => void }): ReactNode {
  const form = useForm(adjustPoints, {
    initial: { reason: "event", note: "", ...(memberNo !== undefined && { memberNo }) },
    ...(memberNo !== undefined && { draft: memberNo }),
    refreshes: READS,
    onDone: ({ status, donePoints }) => {
      success(status === 0 ? "已提交，要由另一人审核" : `已调整 ${donePoints} 积分`);
      onClose();
    },
    ask: ({ memberNo, points = 0 }) =>
      points > 0 ? `给会员 ${memberNo} 增加 ${points} 积分？` : `从会员 ${memberNo} 扣减最多 ${-points} 积分？不足时只扣现有的。`,
  });
  return (
    <FormDrawer form={form} title="调整积分" submit="提交" onClose={onClose}>
      {memberNo === undefined ? (
        <Field of={form.field("memberNo")} label="会员号">
          {(f) => <TextInput {...f} inputMode="numeric" maxLength={10} />}
        </Field>
      ) : (
        <p className="note">会员号 {memberNo}</p>
      )}
      <Field of={form.field("points")} label="积分" help="扣减填负数；最多扣到 0，不会欠分">
        {(f) => <NumberInput {...f} />}
      </Field>
      <Field of={form.field("reason")} label="原因">
        {(f) => <Pick {...f} set={pointReason} />}
      </Field>
      <Field of={form.field("note")} label="说明">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}
