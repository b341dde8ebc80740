import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { confirm, error, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { getWxComponent, getWxComponentKeys, renewWxComponentKeys, saveWxComponent, testWxComponent } from "../../contract/index.ts";

type Component = NonNullable<OutputOf<typeof getWxComponent>["component"]>;
const READS = [getWxComponent, getWxComponentKeys];

/** 第三方平台: the provider's own, to which its merchants authorise their accounts. */
export function ComponentPanel({ onClose }: { onClose: () => void }): ReactNode {
  const found = useDetail(getWxComponent, {});
  if (!found.data)
    return (
      <Drawer title="第三方平台" onClose={onClose}>
        <Loaded of={found}>{() => null}</Loaded>
      </Drawer>
    );
  const { component } = found.data;
  return <SettingsForm key={component?.revision ?? 0} now={component} onClose={onClose} />;
}
function SettingsForm({ now, onClose }: { now: Component | null; onClose: () => void }): ReactNode {
  const form = useForm(saveWxComponent, {
    initial: { revision: now?.revision ?? 0, appId: now?.appId ?? "", secret: "" },
    draft: false,
    secrets: ["secret"],
    done: "已保存",
    refreshes: READS,
    ask: ({ appId }) =>
      now && appId !== now.appId
        ? { text: "换成另一个第三方平台？商户在旧平台上的授权都作废，要重新授权。", ok: "更换", danger: true }
        : undefined,
  });
  return (
    <FormDrawer form={form} title="第三方平台" submit="保存" onClose={onClose}>
      <p className="note">在微信开放平台建一个第三方平台（平台型），商户的公众号管理员扫码就能授权，不用给你 AppSecret。</p>
      <Field of={form.field("appId")} label="AppID" help="微信开放平台 → 管理中心 → 第三方平台 → 详情">
        {(f) => <TextInput {...f} maxLength={18} placeholder="wx 开头的 18 位" autoComplete="off" />}
      </Field>
      <Field
        of={form.field("secret")}
        label="AppSecret"
        optional={now !== null}
        help={now ? "已设置，不显示；要换就填新的" : "保存后不再显示"}
      >
        {(f) => (
          <TextInput
            {...f}
            type="password"
            autoComplete="new-password"
            maxLength={32}
            placeholder={now ? "不改就留空" : "32 位小写字母和数字"}
          />
        )}
      </Field>
      {now && <Standing of={now} />}
      {now && <Keys revision={now.revision} />}
    </FormDrawer>
  );
}
function Standing({ of: { ticketAt, ready, provedAt, byName, updatedAt } }: { of: Component }): ReactNode {
  const [busy, run] = useRun([getWxComponent]);
  const test = (): Promise<void> =>
    run(async () => {
      const { proved, words } = await call(testWxComponent, {});
      if (proved) success(words);
      else error(words, 6000);
    });
  return (
    <Group
      title="状态"
      pairs={[
        ["验证票据", ticketAt ? <Time key="ticket" at={ticketAt} /> : "还没有收到：填好下面的地址，微信每十分钟推一次"],
        ["测试通过", provedAt && <Time key="proved" at={provedAt} />],
        [
          "最近修改",
          <span key="by">
            {byName} · <Time at={updatedAt} />
          </span>,
        ],
      ]}
    >
      {ticketAt && !ready && <p className="notice notice-warn">超过 12 小时没有收到验证票据，商户现在不能授权，授权的公众号也调用不了</p>}
      <Act of={testWxComponent}>
        <p>
          <Button busy={busy} onClick={() => void test()}>
            测试
          </Button>
        </p>
      </Act>
    </Group>
  );
}
/** What is typed at 微信开放平台. */
function Keys({ revision }: { revision: number }): ReactNode {
  const keys = useDetail(getWxComponentKeys, {});
  const [busy, run] = useRun(READS);
  const renew = async (): Promise<void> => {
    const text = "更换校验 Token 和加解密 Key？旧的马上失效，填到微信以前收不到票据和消息。";
    if (!(await confirm(text, { ok: "更换密钥", danger: true }))) return;
    await run(async () => {
      await call(renewWxComponentKeys, { revision });
      success("已更换，请填到微信开放平台");
    });
  };
  return (
    <Group title="开发资料">
      <Loaded of={keys}>
        {({ domain, eventUrl, messageUrl, token, aesKey }) => (
          <Group
            title="抄到微信开放平台"
            pairs={[
              ["授权发起页域名", <Copy key="domain" text={domain} />],
              ["授权事件接收 URL", <Copy key="event" text={eventUrl} />],
              ["消息与事件接收 URL", <Copy key="message" text={messageUrl} />],
              ["消息校验 Token", <Copy key="token" text={token} />],
              ["消息加解密 Key", <Copy key="key" text={aesKey} />],
            ]}
          />
        )}
      </Loaded>
      <p className="note">白名单 IP 填本系统的出口 IP；权限集至少勾选 消息管理、用户管理、账号服务、群发与通知、素材管理、自定义菜单。</p>
      <Act of={renewWxComponentKeys}>
        <p>
          <Button busy={busy} onClick={() => void renew()}>
            更换密钥
          </Button>
        </p>
      </Act>
    </Group>
  );
}
