import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OWNERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/use-panel.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/Time.tsx";
import {
  bindDevice,
  cashierMode,
  cleanCashierId,
  deviceModel,
  deviceState,
  getDevice,
  getDeviceConfig,
  getDevices,
  onlineState,
  renewDeviceKey,
  summariseDevices,
  unbindDevice,
  updateDeviceInfo,
} from "../../contract/index.ts";
import { BindDrawer, EditDrawer, KeyDrawer, type NewKey } from "./DeviceForms.tsx";

type Row = RowOf<typeof getDevices>;

/** 设备列表: the devices in use, whose they are at every level, and whether they are there. */
export function DeviceList(): ReactNode {
  const list = useList(getDevices, { live_ms: 30_000 });
  const sums = useSummary(summariseDevices, list.filters).data;
  const device = useDetail(getDevice, list.openId && { id: list.openId });
  const [bind, edit] = [usePanel("bind"), usePanel("edit")];
  const [key, setKey] = useState<NewKey>();
  const c = columns<Row>();
  const binding = (
    <Act of={bindDevice}>
      <Button tone="primary" onClick={() => bind.open()}>
        绑定设备
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="设备列表"
      unit="台"
      list={list}
      exportSource="devices"
      totals={
        sums && [
          ["在线", sums.online],
          ["离线", sums.offline],
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="设备" placeholder="编号 / 名称" />
          <Choice of={list.field("online")} label="在线" set={onlineState} />
          <OrgFilter of={list} levels={OWNERS} />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("model")} label="型号" set={deviceModel} />
          <Choice of={list.field("cashierMode")} label="收银方式" set={cashierMode} />
          <Choice of={list.field("state")} label="状态" set={deviceState} />
          <OrgFilter of={list} levels={["agentId"]} />
        </>
      }
      actions={binding}
      columns={[
        c.link("sn", "设备编号", (row) => list.open(row.id), { width: 128 }),
        c.text("name", "名称", { width: 120 }),
        c.code("online", "在线", onlineState, { width: 72 }),
        c.text("storeName", "门店", { width: 128 }),
        c.text("merchantName", "商户", { width: 120 }),
        c.text("model", "型号", { width: 128 }),
        c.code("cashierMode", "收银方式", cashierMode, { width: 96 }),
        c.text("cashierName", "收银员", { width: 88 }),
        c.time("lastSeenAt", "最近在线", { width: 168 }),
        c.text("version", "版本", { hidden: true }),
        c.text("agentName", "代理商", { hidden: true }),
        c.text("providerName", "服务商", { hidden: true }),
        c.code("state", "状态", deviceState, { width: 72 }),
        c.time("createdAt", "登记时间", { hidden: true }),
        c.actions((row) => <Acts row={row} onEdit={() => edit.open(row.id)} />, { width: 96 }),
      ]}
      empty={{ text: "还没有绑定设备", action: binding }}
    >
      {list.openId && (
        <DetailDrawer
          title="设备详情"
          of={device}
          onClose={list.close}
          footer={device.data && <Foot row={device.data} onEdit={() => edit.open(device.data.id)} onKey={setKey} onGone={list.close} />}
        >
          {(row) => <Details row={row} />}
        </DetailDrawer>
      )}
      {bind.id && <BindDrawer onClose={bind.close} onKey={setKey} />}
      {edit.id && <EditDrawer id={edit.id} onClose={edit.close} />}
      {key && <KeyDrawer made={key} onClose={() => setKey(undefined)} />}
    </ListScreen>
  );
}

function Acts({ row, onEdit }: { row: Row; onEdit: () => void }): ReactNode {
  return (
    <>
      <Act of={getDeviceConfig}>
        <Link to={`/device/config?node=0:${row.id}`}>配置</Link>
      </Act>
      <Act of={updateDeviceInfo}>
        <Button tone="link" onClick={onEdit}>
          修改
        </Button>
      </Act>
    </>
  );
}

function Details({ row }: { row: Row }): ReactNode {
  return (
    <>
      <HeroLine label={row.name} value={<span className="num">{row.sn}</span>} status={<StatusTag of={onlineState} code={row.online} />} />
      <Group
        title="归属"
        pairs={[
          ["服务商", row.providerName],
          ["代理商", row.agentName],
          ["商户", row.merchantName],
          ["门店", row.storeName],
        ]}
      />
      <Group
        title="设备"
        pairs={[
          ["型号", row.model],
          ["收银方式", cashierMode.label(row.cashierMode)],
          ["收银员", row.cashierName],
          ["状态", <StatusTag of={deviceState} code={row.state} />],
          ["软件版本", row.version],
          ["最近在线", <Time at={row.lastSeenAt} />],
          ["登记时间", <Time at={row.createdAt} />],
        ]}
      />
    </>
  );
}

/** What can be done with a device, each said with its name and what follows. */
function Foot({
  row,
  onEdit,
  onKey,
  onGone,
}: {
  row: Row;
  onEdit: () => void;
  onKey: (key: NewKey) => void;
  onGone: () => void;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const client = useQueryClient();
  const act = async (text: string, ok: string, go: () => Promise<void>, danger = false): Promise<void> => {
    if (!(await confirm(text, { ok, danger }))) return;
    setBusy(true);
    try {
      await go();
      for (const one of [getDevices, getDevice, summariseDevices]) void client.invalidateQueries({ queryKey: [one.path] });
    } catch {
      // The call has said it.
    } finally {
      setBusy(false);
    }
  };
  const called = `「${row.name}」（${row.sn}）`;
  return (
    <>
      {row.cashierId !== null && (
        <Act of={cleanCashierId}>
          <Button
            busy={busy}
            onClick={() =>
              void act(`清除${called}的收银员${row.cashierName ?? ""}？设备要重新选择收银员才能收款。`, "清除收银员", async () => {
                await call(cleanCashierId, { device_id: row.id });
                success("已清除收银员");
              })
            }
          >
            清除收银员
          </Button>
        </Act>
      )}
      <Act of={renewDeviceKey}>
        <Button
          busy={busy}
          onClick={() =>
            void act(`更换${called}的密钥？现在的密钥立即失效，设备换上新密钥前不能收款。`, "更换密钥", async () => {
              const { key } = await call(renewDeviceKey, { id: row.id });
              onKey({ sn: row.sn, key });
            })
          }
        >
          更换密钥
        </Button>
      </Act>
      <Act of={unbindDevice}>
        <Button
          tone="danger"
          busy={busy}
          onClick={() =>
            void act(
              `从「${row.storeName}」解绑${called}？设备立即不能收款，回到商户库存；它自己的设置会清除，过去的订单不变。`,
              "解绑设备",
              async () => {
                await call(unbindDevice, { id: row.id });
                success("已解绑，设备在商户库存");
                onGone();
              },
              true,
            )
          }
        >
          解绑
        </Button>
      </Act>
      <Act of={updateDeviceInfo}>
        <Button tone="primary" onClick={onEdit}>
          修改
        </Button>
      </Act>
    </>
  );
}
