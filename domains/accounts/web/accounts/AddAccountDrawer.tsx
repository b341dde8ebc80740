import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { accountLevel, addAccount, type Level, levelCreates, listUsers } from "../../contract/index.ts";
import { NodePick } from "./NodePick.tsx";
import type { OneTime } from "./OneTimePasswords.tsx";

/** The levels that somebody opens accounts for, as a set to pick from. */
const below = (level: Level | undefined) =>
  labelled(
    Object.fromEntries((level ? levelCreates[level] : []).map((one) => [one, accountLevel.label(one)])),
  ) as unknown as typeof accountLevel;

/** A further account of a node below: its one-time password is shown once after it was made. */
export function AddAccountDrawer({ onClose, onMade }: { onClose: () => void; onMade: (made: readonly OneTime[]) => void }): ReactNode {
  const { level } = useUser();
  const set = below(level);
  const form = useForm(addAccount, {
    initial: { level: set.values[0] },
    draft: "new",
    done: "已新增账号",
    refreshes: [listUsers],
    onDone: ({ id, password, expiresAt }) => {
      onClose();
      onMade([{ id, login: form.values.login ?? "", password, expiresAt }]);
    },
  });
  const chosen = form.values.level;
  return (
    <FormDrawer form={form} title="新增账号" submit="新增账号" onClose={onClose}>
      <Field of={form.field("level")} label="级别">
        {(f) => <Pick {...f} set={set} onChange={(value) => form.set({ level: value, nodeId: undefined })} />}
      </Field>
      {chosen === "SP" ? (
        <Field of={form.field("serviceProviderId")} label="服务商">
          {(f) => <NodePick {...f} level="SP" />}
        </Field>
      ) : (
        chosen && (
          <Field of={form.field("nodeId")} label="所属机构" help="新账号成为该机构的又一个主账号">
            {(f) => <NodePick key={chosen} {...f} level={chosen} />}
          </Field>
        )
      )}
      <Field of={form.field("login")} label="登录名" help="3 到 64 位字母、数字或 . _ @ -，全平台唯一，不区分大小写">
        {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
      </Field>
      <Field of={form.field("firstName")} label="姓名">
        {(f) => <TextInput {...f} maxLength={32} autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
