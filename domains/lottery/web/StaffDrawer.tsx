import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { addLotteryStaff, listLotteryStaff, removeLotteryStaff } from "../contract/index.ts";
import { counted } from "./lottery-words.ts";

type Staff = OutputOf<typeof listLotteryStaff>["items"][number];
const READS = [listLotteryStaff];

/** 员工名单: whose phones can't draw. */
export function StaffDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const staff = useDetail(listLotteryStaff, {});
  const form = useForm(addLotteryStaff, {
    initial: {},
    draft: false,
    done: "已加入名单",
    refreshes: READS,
    onDone: () => form.set({ name: "", phone: "" }),
  });
  const c = columns<Staff>();
  return (
    <FormDrawer form={form} title="员工名单" submit="加入名单" onClose={onClose}>
      <p className="note">主办方的员工不能中奖。名单上的手机号在本商户所有摇一摇里都不能摇；只存后四位和加密的指纹。</p>
      <Field of={form.field("name")} label="姓名">
        {(f) => <TextInput {...f} maxLength={20} autoComplete="off" />}
      </Field>
      <Field of={form.field("phone")} label="手机号">
        {(f) => <TextInput {...f} maxLength={11} inputMode="tel" autoComplete="off" />}
      </Field>
      <Loaded of={staff}>
        {({ items }) => (
          <Group title={`名单上 ${counted(items.length)} 人`}>
            <DataTable
              label="员工名单"
              rows={items}
              columns={[
                c.text("name", "姓名", { width: 120 }),
                c.text("phoneTail", "手机号", (row) => <span className="num">尾号 {row.phoneTail}</span>, { width: 112 }),
                c.time("at", "加入时间", { width: 152 }),
                c.actions((row) => <Remove of={row} />, { width: 80, of: [removeLotteryStaff] }),
              ]}
              blank={<p className="note">还没有人。先把员工的手机号加进来，再办活动</p>}
            />
          </Group>
        )}
      </Loaded>
    </FormDrawer>
  );
}
function Remove({ of: { id, name, phoneTail } }: { of: Staff }): ReactNode {
  const [busy, run] = useRun(READS);
  const remove = async (): Promise<void> => {
    if (!(await confirm(`把 ${name}（尾号 ${phoneTail}）移出名单？移出后可以摇。`, { ok: "移出", danger: true }))) return;
    await run(async () => {
      await call(removeLotteryStaff, { id });
      success(`已移出 ${name}`);
    });
  };
  return (
    <Button tone="link" busy={busy} onClick={() => void remove()}>
      移出
    </Button>
  );
}
