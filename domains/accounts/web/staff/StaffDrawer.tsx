import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { addAccount, getStaff, type Level, listStaff, listStaffChoices, updateStaff } from "../../contract/index.ts";
import type { OneTime } from "../accounts/OneTimePasswords.tsx";
import { KindRadios, type Kind, SightFields } from "./SightFields.tsx";

type Choices = OutputOf<typeof listStaffChoices>;
type Staff = OutputOf<typeof getStaff>;
interface Given {
  readonly choices: Choices;
  readonly onClose: () => void;
}

/** A sub-account: new with a one-time password, or another position and other stores. */
export function StaffDrawer({
  staffId,
  onClose,
  onMade,
}: {
  staffId: string | undefined;
  onClose: () => void;
  onMade: (made: readonly OneTime[]) => void;
}): ReactNode {
  const choices = useDetail(listStaffChoices, {});
  const staff = useDetail(getStaff, staffId && { id: staffId });
  if (choices.data && staffId === undefined) return <AddStaff choices={choices.data} onClose={onClose} onMade={onMade} />;
  if (choices.data && staff.data) return <EditStaff choices={choices.data} staff={staff.data} onClose={onClose} />;
  return <WaitingDrawer of={choices.error ? choices : staff} title={staffId ? "编辑子账号" : "新增子账号"} onClose={onClose} />;
}

function AddStaff({ choices, onClose, onMade }: Given & { onMade: (made: readonly OneTime[]) => void }): ReactNode {
  const { level = "MCH" } = useUser();
  const form = useForm(addAccount, {
    initial: { level: level as Level },
    draft: "staff",
    done: "已新增子账号",
    refreshes: [listStaff],
    onDone: ({ id, password, expiresAt }) => {
      onClose();
      onMade([{ id, login: form.values.login ?? "", password, expiresAt }]);
    },
  });
  const kind = kindOf(form.values.level, form.values.areaIds);
  return (
    <FormDrawer form={form} title="新增子账号" submit="新增子账号" onClose={onClose}>
      <Field of={form.field("login")} label="登录名" help="3 到 64 位字母、数字或 . _ @ -，全平台唯一，不区分大小写">
        {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
      </Field>
      <Field of={form.field("firstName")} label="姓名">
        {(f) => <TextInput {...f} maxLength={32} autoComplete="off" />}
      </Field>
      {level === "MCH" && (
        <KindRadios
          kind={kind}
          onChange={(next) =>
            form.set({
              level: next === "staff" ? "MCH" : "AE",
              storeIds: [],
              areaIds: next === "area" ? [choices.areas[0]?.id ?? ""].filter(Boolean) : [],
            })
          }
          withAreas={choices.areas.length > 0}
        />
      )}
      <SightFields
        kind={kind}
        choices={choices}
        withStores={level === "MCH"}
        position={form.field("positionId")}
        stores={form.field("storeIds")}
        areas={form.field("areaIds")}
      />
    </FormDrawer>
  );
}

function EditStaff({ choices, staff, onClose }: Given & { staff: Staff }): ReactNode {
  const { id, login, firstName, positionId, storeIds, areaIds, sessions } = staff;
  const before = JSON.stringify([positionId, storeIds, areaIds]);
  const form = useForm(updateStaff, {
    initial: { id, firstName, positionId, storeIds, areaIds },
    draft: id,
    done: "已保存",
    refreshes: [listStaff, getStaff],
    onDone: onClose,
    ask: (given) =>
      sessions > 0 && before !== JSON.stringify([given.positionId ?? null, given.storeIds, given.areaIds])
        ? { text: `修改子账号「${login}」的权限？保存后：${sessions} 处登录立即退出，重新登录后按新权限使用。`, ok: "保存" }
        : undefined,
  });
  const kind = kindOf(staff.level, form.values.areaIds);
  return (
    <FormDrawer form={form} title={`编辑子账号 ${login}`} submit="保存" onClose={onClose}>
      <Field of={form.field("firstName")} label="姓名">
        {(f) => <TextInput {...f} maxLength={32} autoComplete="off" />}
      </Field>
      <SightFields
        kind={kind}
        choices={choices}
        withStores={staff.level === "MCH" || staff.level === "AE"}
        position={{
          ...form.field("positionId"),
          value: form.values.positionId ?? undefined,
          set: (value) => form.set({ positionId: value ?? null }),
        }}
        stores={form.field("storeIds")}
        areas={form.field("areaIds")}
      />
    </FormDrawer>
  );
}

const kindOf = (level: Level | undefined, areaIds: readonly string[] | undefined): Kind =>
  level !== "AE" ? "staff" : (areaIds?.length ?? 0) > 0 ? "area" : "employee";
