import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  addWxApp,
  getWxApp,
  getWxAppKeys,
  listWxApps,
  renewWxAppKeys,
  saveWxComponent,
  updateWxApp,
  wxAppKind,
  wxAppState,
  wxAuthState,
} from "../contract/index.ts";
import { Authorisation, Authorise, Authorised } from "./component/Authorisation.tsx";
import { ComponentPanel } from "./component/ComponentPanel.tsx";
import { MenuDrawer } from "./menus/MenuDrawer.tsx";
import { Credential, SecretForm } from "./WxAppSecret.tsx";

type Row = RowOf<typeof listWxApps>;
const READS = [listWxApps, getWxAppKeys];

/** 微信应用: the merchant's official accounts; for a provider those of its merchants. */
export function WxApps(): ReactNode {
  const list = useList(listWxApps);
  const [add, edit, secret, menu] = [usePanel("add"), usePanel("edit"), usePanel("secret"), usePanel("menu")];
  const [component, authorised] = [usePanel("component"), usePanel("authorised")];
  const c = columns<Row>();
  const ofMerchants = new Set(list.rows.map(({ merchantId }) => merchantId)).size > 1;
  const adding = <Ways onComponent={() => component.open()} onAdd={() => add.open()} />;
  return (
    <ListScreen
      title="微信应用"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: wxAppState, counts: useCounts(list, "state", wxAppState) }}
      filters={<Keyword of={list.field("keyword")} label="公众号" placeholder="名称 / AppID / 商户" />}
      actions={adding}
      columns={[
        c.link("name", "公众号", (row) => list.open(row.id), { width: 168, copy: false, note: (row) => wxAppKind.label(row.kind) }),
        c.text("merchantName", "商户", { width: 144, hidden: !ofMerchants }),
        c.text("appId", "AppID", (row) => <span className="num">{row.appId}</span>, { width: 176 }),
        c.code("state", "状态", wxAppState, { width: 80 }),
        c.text("verifiedAt", "接入", (row) => (row.verifiedAt ? "已接通" : "等微信校验"), { width: 112 }),
        c.text("provedAt", "凭据", credential, { width: 128 }),
        c.number("fans", "粉丝", { width: 88 }),
        c.time("heardAt", "最近消息", { width: 168 }),
        c.text("byName", "添加人", { width: 96 }),
        c.time("createdAt", "添加时间", { width: 168, hidden: true, sort: "-createdAt" }),
        c.actions(
          (row) => (
            <Act of={updateWxApp}>
              <Button tone="link" onClick={() => edit.open(row.id)}>
                修改
              </Button>
            </Act>
          ),
          { width: 80, of: [updateWxApp] },
        ),
      ]}
      empty={{ text: "还没有公众号。添加一个，就能听到谁关注了，送粉丝券", action: adding }}
    >
      <OneRow list={list} by={getWxApp} id={list.openId} title="公众号" onClose={list.close}>
        {(row) => (
          <WxAppDrawer
            row={row}
            onEdit={() => edit.open(row.id)}
            onSecret={() => secret.open(row.id)}
            onMenu={() => menu.open(row.id)}
            onClose={list.close}
          />
        )}
      </OneRow>
      {component.id && <ComponentPanel onClose={component.close} />}
      {authorised.id && <Authorised of={authorised.id} onClose={authorised.close} onDone={list.open} />}
      {add.id && <AddWxApp onClose={add.close} onMade={list.open} />}
      <OneRow list={list} by={getWxApp} id={secret.id} title="AppSecret" onClose={secret.close}>
        {(row) => <SecretForm key={row.revision} row={row} onClose={secret.close} />}
      </OneRow>
      {menu.id && <MenuDrawer appId={menu.id} onClose={menu.close} />}
      <OneRow list={list} by={getWxApp} id={edit.id} title="修改公众号" onClose={edit.close}>
        {(row) => <EditWxApp key={row.revision} row={row} onClose={edit.close} />}
      </OneRow>
    </ListScreen>
  );
}

/** How an account comes in. */
function Ways({ onComponent, onAdd }: { onComponent: () => void; onAdd: () => void }): ReactNode {
  return (
    <>
      <Act of={saveWxComponent}>
        <Button onClick={onComponent}>第三方平台</Button>
      </Act>
      <Authorise>扫码授权</Authorise>
      <Act of={addWxApp}>
        <Button tone="primary" onClick={onAdd}>
          添加公众号
        </Button>
      </Act>
    </>
  );
}
const credential = ({ authState, secretAt, provedAt }: Row): string =>
  authState ? wxAuthState.label(authState) : provedAt ? "已测通" : secretAt ? "已填，没有测通" : "未填";
interface Opened {
  readonly row: Row;
  readonly onEdit: () => void;
  readonly onSecret: () => void;
  readonly onMenu: () => void;
  readonly onClose: () => void;
}
function WxAppDrawer({ row, onEdit, onSecret, onMenu, onClose }: Opened): ReactNode {
  const mayKeys = useAct(getWxAppKeys);
  return (
    <Drawer
      title="公众号"
      onClose={onClose}
      footer={
        <>
          {row.way === "own" && <Renew of={row} />}
          <Button onClick={onMenu}>自定义菜单</Button>
          <Act of={updateWxApp}>
            <Button tone="primary" onClick={onEdit}>
              修改
            </Button>
          </Act>
        </>
      }
    >
      <HeroLine
        label={`${wxAppKind.label(row.kind)} · ${row.appId}`}
        value={row.name}
        status={<StatusTag of={wxAppState} code={row.state} />}
      />
      <p className="note">{standing(row)}</p>
      {mayKeys && row.way === "own" && <Keys id={row.id} />}
      {row.authState !== "on" && <Credential of={row} onEdit={onSecret} />}
      <Authorisation of={row} />
      <Group
        title="记录"
        pairs={[
          ["粉丝", `${row.fans.toLocaleString("en-US")} 人`],
          ["微信校验", row.verifiedAt && <Time at={row.verifiedAt} />],
          ["最近消息", row.heardAt && <Time at={row.heardAt} />],
          ["商户", row.merchantName],
          ["添加人", row.byName],
        ]}
      />
    </Drawer>
  );
}
function standing({ state, authState, verifiedAt, heardAt }: Row): string {
  if (state === "paused") return "已停用：微信发来的消息不收，新粉丝没有礼";
  if (authState === "off") return "已取消授权：不收消息，也不能同步粉丝、做渠道码和群发；请重新授权，或填写 AppSecret";
  if (authState === "on") return heardAt ? "已授权给服务商的第三方平台，正在收消息" : "已授权给服务商的第三方平台，还没有收到消息";
  if (!verifiedAt) return "还没接通：把下面三项填到微信公众平台，点提交，微信会来校验";
  return heardAt ? "已接通，正在收消息" : "已接通，还没有收到消息";
}
/** What is typed at WeChat's. */
function Keys({ id }: { id: string }): ReactNode {
  const keys = useDetail(getWxAppKeys, { id });
  return (
    <Group title="服务器配置">
      <Loaded of={keys}>
        {({ url, token, aesKey }) => (
          <>
            <p className="note">
              微信公众平台 → 设置与开发 → 基本配置 → 服务器配置。加解密方式选安全模式。启用后，公众平台里的自动回复和自定义菜单会停用。
            </p>
            <Group
              title="抄到微信"
              pairs={[
                ["服务器地址", <Copy key="url" text={url} />],
                ["令牌 Token", <Copy key="token" text={token} />],
                ["EncodingAESKey", <Copy key="key" text={aesKey} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Group>
  );
}
function Renew({ of: { id, name, revision } }: { of: Row }): ReactNode {
  const [busy, run] = useRun(READS);
  const renew = async (): Promise<void> => {
    const text = `更换「${name}」的 Token 和 EncodingAESKey？旧的马上失效，填到微信以前收不到消息。`;
    if (!(await confirm(text, { ok: "更换密钥", danger: true }))) return;
    await run(async () => {
      await call(renewWxAppKeys, { id, revision });
      success("已更换，请填到微信公众平台");
    });
  };
  return (
    <Act of={renewWxAppKeys}>
      <Button busy={busy} onClick={() => void renew()}>
        更换密钥
      </Button>
    </Act>
  );
}

function AddWxApp({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const form = useForm(addWxApp, {
    initial: { appId: "", name: "", kind: 1 },
    done: "已添加，请把服务器配置填到微信",
    refreshes: READS,
    onDone: ({ id }) => onMade(id),
  });
  return (
    <FormDrawer form={form} title="添加公众号" submit="添加" onClose={onClose}>
      <Field of={form.field("appId")} label="AppID" help="微信公众平台 → 设置与开发 → 基本配置；加了不能改">
        {(f) => <TextInput {...f} maxLength={18} placeholder="wx 开头的 18 位" autoComplete="off" />}
      </Field>
      <Facts form={form as never} />
    </FormDrawer>
  );
}
function EditWxApp({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const { id, revision, name, kind, state } = row;
  const form = useForm(updateWxApp, {
    initial: { id, revision, name, kind, active: state === "active" },
    draft: false,
    done: "已保存",
    refreshes: READS,
    onDone: onClose,
    ask: ({ active }) =>
      active === false && state === "active"
        ? { text: `停用「${name}」？微信发来的消息不再收，这期间关注的新粉丝不补礼。`, ok: "停用", danger: true }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`修改 ${name}`} submit="保存" onClose={onClose}>
      <Facts form={form} />
      <Field of={form.field("active")} label="状态">
        {(f) => <Switch {...f} label="收微信发来的消息" />}
      </Field>
    </FormDrawer>
  );
}
function Facts({ form }: { form: Form<typeof updateWxApp> }): ReactNode {
  return (
    <>
      <Field of={form.field("name")} label="公众号名称" help="新粉丝收到的欢迎语里会出现">
        {(f) => <TextInput {...f} maxLength={30} />}
      </Field>
      <Field of={form.field("kind")} label="类型">
        {(f) => <Radios {...f} set={wxAppKind} />}
      </Field>
    </>
  );
}
