import { type ReactNode, Suspense, useState } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OWNERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { ImportDrawer } from "../../../imports/web/index.ts";
import {
  bindDevice,
  cashierMode,
  deviceModel,
  devicePlace,
  deviceState,
  getDevice,
  getDeviceConfig,
  getDevices,
  deviceViews,
  onlineState,
  queueCommands,
  renewDeviceKeys,
  summariseDevices,
  updateDeviceInfo,
} from "../../contract/index.ts";
import { DeviceActs } from "./DeviceActs.tsx";
import { CommandDrawer } from "./Commands.tsx";
import { DeviceBatch } from "./DeviceBatch.tsx";
import { DeviceDetails, roomWords } from "./DeviceDetails.tsx";
import { BindDrawer, EditDrawer, KeyDrawer, type NewKey } from "./DeviceForms.tsx";

type Row = RowOf<typeof getDevices>;

/** 设备列表: the devices in use, whose they are at every level, and whether they are there. */
export function DeviceList(): ReactNode {
  const { level } = useUser();
  const list = useList(getDevices, { live_ms: 30_000, views: deviceViews });
  const sums = useSummary(summariseDevices, list.filters).data;
  const device = useDetail(getDevice, list.openId && { id: list.openId });
  const [bind, edit, importing] = [usePanel("bind"), usePanel("edit"), usePanel("import")];
  const command = usePanel("command");
  const acts = [useAct(queueCommands), useAct(renewDeviceKeys)].includes(true);
  const [key, setKey] = useState<NewKey>();
  const binding = (
    <Act of={bindDevice}>
      <Button onClick={() => importing.open()}>批量绑定</Button>
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
          ["未上线", sums.never],
        ]
      }
      filters={<Filters list={list} />}
      moreFilters={<MoreFilters list={list} />}
      actions={binding}
      {...(acts && { batch: (selection: Selection) => <DeviceBatch selection={selection} onCommand={command.open} /> })}
      columns={shownColumns(list.open, edit.open, level === "MCH" || level === "AE")}
      empty={{ text: "还没有绑定设备", action: binding }}
    >
      {list.openId && (
        <DetailDrawer
          title="设备详情"
          of={device}
          onClose={list.close}
          footer={
            device.data && (
              <DeviceActs
                row={device.data}
                onCommand={() => command.open(device.data.id)}
                onEdit={() => edit.open(device.data.id)}
                onKey={setKey}
                onGone={list.close}
              />
            )
          }
        >
          {(row) => <DeviceDetails row={row} />}
        </DetailDrawer>
      )}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="device-bindings" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {command.id && command.id !== "new" && <CommandDrawer ids={command.id.split(",")} onClose={command.close} />}
      {bind.id && <BindDrawer onClose={bind.close} onKey={setKey} />}
      {edit.id && <EditDrawer id={edit.id} onClose={edit.close} />}
      {key && <KeyDrawer made={key} onClose={() => setKey(undefined)} />}
    </ListScreen>
  );
}

function Filters({ list }: { list: List<typeof getDevices> }): ReactNode {
  return (
    <>
      <Keyword of={list.field("keyword")} label="设备" placeholder="编号 / 名称" />
      <Choice of={list.field("online")} label="在线" set={onlineState} />
      <OrgFilter of={list} levels={OWNERS} />
    </>
  );
}
function MoreFilters({ list }: { list: List<typeof getDevices> }): ReactNode {
  return (
    <>
      <Choice of={list.field("model")} label="型号" set={deviceModel} />
      <Choice of={list.field("cashierMode")} label="收银方式" set={cashierMode} />
      <Choice of={list.field("state")} label="状态" set={deviceState} />
      <Choice of={list.field("place")} label="门店状态" set={devicePlace} />
      <OrgFilter of={list} levels={["agentId"]} />
    </>
  );
}

function shownColumns(open: (id: string) => void, onEdit: (id: string) => void, own: boolean) {
  const c = columns<Row>();
  return [
    c.link("sn", "设备编号", (row) => open(row.id), { width: 104 }),
    c.link("name", "名称", (row) => open(row.id), { width: 104, copy: false }),
    c.code("online", "在线", onlineState, { width: 88 }),
    c.text("storeName", "门店", { width: 108 }),
    c.text("merchantName", "商户", own ? { hidden: true } : { width: 96 }),
    c.text("model", "型号", { width: 120 }),
    c.code("cashierMode", "收银方式", cashierMode, own ? { width: 88 } : { hidden: true }),
    c.text("cashierName", "收银员", { width: 72 }),
    c.time("lastSeenAt", "最近在线", { width: 168 }),
    c.text("version", "版本", { width: 64 }),
    c.text("storageFreeMb", "剩余空间", (row) => roomWords(row), { hidden: true }),
    c.text("agentName", "代理商", { hidden: true }),
    c.text("providerName", "服务商", { hidden: true }),
    c.code("state", "状态", deviceState, { width: 72 }),
    c.time("createdAt", "登记时间", { hidden: true }),
    c.actions((row) => <Acts row={row} onEdit={() => onEdit(row.id)} />, { width: 96, of: [getDeviceConfig, updateDeviceInfo] }),
  ];
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
