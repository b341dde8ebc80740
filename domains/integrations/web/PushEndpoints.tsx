import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { type List, useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addPushEndpoint, endpointState, getPushEndpoint, listPushEndpoints } from "../contract/index.ts";
import { CheckDrawer } from "./CheckDrawer.tsx";
import { EndpointDrawer } from "./EndpointDrawer.tsx";
import { AddEndpoint, EditEndpoint } from "./EndpointForms.tsx";
import { share } from "./push-words.ts";
import { SecretDrawer } from "./SecretDrawer.tsx";
import "./integrations.css";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";

type Row = RowOf<typeof listPushEndpoints>;

/** 数据推送: the addresses that are told what happened; for the platform everybody's. */
export function PushEndpoints(): ReactNode {
  const list = useList(listPushEndpoints);
  const { level } = useUser();
  const [add, edit, secret, check] = [usePanel("add"), usePanel("edit"), usePanel("secret"), usePanel("check")];
  const about = list.openId ?? edit.id ?? secret.id ?? check.id;
  const endpoint = useDetail(getPushEndpoint, about ? { id: about } : undefined);
  const adding = (
    <Act of={addPushEndpoint}>
      <Button tone="primary" onClick={() => add.open()}>
        新建推送地址
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="数据推送"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: endpointState, counts: useCounts(list, "state", endpointState) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="地址" placeholder="名称 / 网址" />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={adding}
      columns={columnsOf(list, level === "ADMIN")}
      empty={{ text: "还没有推送地址。新建一个，订单、退款、核销就会推到你的系统", action: adding }}
    >
      {list.openId && (
        <EndpointDrawer
          of={endpoint}
          onEdit={() => edit.open(list.openId)}
          onSecret={() => secret.open(list.openId)}
          onCheck={() => check.open(list.openId)}
          onClose={list.close}
        />
      )}
      {add.id && <AddEndpoint onClose={add.close} onMade={(id) => secret.open(id)} />}
      {edit.id && endpoint.data?.id === edit.id && <EditEndpoint key={endpoint.data.revision} row={endpoint.data} onClose={edit.close} />}
      {secret.id && endpoint.data?.id === secret.id && (
        <SecretDrawer key={endpoint.data.revision} row={endpoint.data} onClose={secret.close} />
      )}
      {check.id && endpoint.data?.id === check.id && <CheckDrawer row={endpoint.data} onClose={check.close} />}
    </ListScreen>
  );
}

function columnsOf(list: List<typeof listPushEndpoints>, everybody: boolean) {
  const c = columns<Row>();
  return [
    c.link("name", "名称", (row) => list.open(row.id), { width: 160, copy: false }),
    c.text("serviceProviderName", "服务商", { width: 160, hidden: !everybody }),
    c.text("url", "接收地址", (row) => <span className="push-url">{row.url}</span>, { width: 320 }),
    c.text("events", "事件", (row) => `${row.events.length} 种`, { width: 72 }),
    c.text("merchants", "商户", (row) => (row.merchants === null ? "全部" : `${row.merchants.length} 家`), { width: 80 }),
    c.code("state", "状态", endpointState, { width: 96 }),
    c.text(
      "day",
      "近 24 小时",
      (row) =>
        row.day.count === 0 ? "没有事件" : `${row.day.count.toLocaleString("en-US")} 条，成功 ${share(row.day.succeeded, row.day.count)}`,
      {
        width: 176,
      },
    ),
    c.number("abandoned", "已放弃", { width: 88 }),
    c.time("createdAt", "新建时间", { width: 168, hidden: true, sort: "-createdAt" }),
    c.actions(
      (row) => (
        <a href={`#/admin/dataPush/list?endpointId=${row.id}`} onClick={(event) => event.stopPropagation()}>
          推送记录
        </a>
      ),
      { width: 88 },
    ),
  ];
}
