import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { error, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { listWxApps, setWxAppSecret, testWxApp } from "../contract/index.ts";

type Row = RowOf<typeof listWxApps>;

/** 凭据: whether WeChat lets us call in the name of this account. */
export function Credential({ of: { id, secretAt, provedAt }, onEdit }: { of: Row; onEdit: () => void }): ReactNode {
  const [busy, run] = useRun([listWxApps]);
  const test = (): Promise<unknown> =>
    run(async () => {
      const { proved, words } = await call(testWxApp, { id });
      if (proved) success(words);
      else error(words, 6000);
    });
  return (
    <Group
      title="凭据"
      pairs={[
        ["AppSecret", secretAt ? <Time key="at" at={secretAt} /> : "还没有填：不能同步粉丝、做二维码和群发"],
        ["测试通过", provedAt && <Time key="proved" at={provedAt} />],
      ]}
    >
      <Act of={setWxAppSecret}>
        <p>
          <Button onClick={onEdit}>{secretAt ? "更换 AppSecret" : "填写 AppSecret"}</Button>{" "}
          {secretAt && (
            <Button busy={busy} onClick={() => void test()}>
              测试
            </Button>
          )}
        </p>
      </Act>
    </Group>
  );
}
export function SecretForm({ row: { id, revision, name, secretAt }, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const form = useForm(setWxAppSecret, {
    initial: { id, revision, secret: "" },
    draft: false,
    done: "已保存，请点测试",
    refreshes: [listWxApps],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`${name} 的凭据`} submit="保存" onClose={onClose}>
      <Field
        of={form.field("secret")}
        label="AppSecret"
        help={`微信公众平台 → 设置与开发 → 基本配置 → 开发者密码。保存后不再显示${secretAt ? "，旧的马上不用" : ""}；同一页的 IP 白名单要加上本系统的出口 IP`}
      >
        {(f) => <TextInput {...f} maxLength={32} placeholder="32 位小写字母和数字" autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
