import type { ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { type FilterField, useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { part } from "@zhangfang/web/screen.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { fanEvent, fanState, followWay, getFan, getFanEvents, listFans } from "../contract/index.ts";
import { AppChoice, MemberLink, sourceOf } from "./FanParts.tsx";
import { FanSyncs } from "./FanSync.tsx";
import "./wechat.css";

const FanChannels = part(() => import("./FanChannels.tsx"), "FanChannels");
type Row = RowOf<typeof listFans>;
const MEMBER = labelled({ yes: "是会员", no: "还不是会员" });

/** 微信粉丝, and under 渠道码 the codes that they come by. Which of the two stands in the address. */
export function Fans(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  return view === "channels" ? <FanChannels /> : <FanList />;
}

function FanList(): ReactNode {
  const { level } = useUser();
  const navigate = useNavigate();
  const list = useList(listFans);
  const queries = useQueryClient();
  const again = useCallback(() => void queries.invalidateQueries({ queryKey: [listFans.path] }), [queries]);
  const mayExport = useAct(["/wxCRM/fans/export"]);
  return (
    <ListScreen
      title="微信粉丝"
      unit="人"
      list={list}
      tabs={{ of: list.field("state"), set: fanState, counts: useCounts(list, "state", fanState) }}
      actions={<Button onClick={() => void navigate("/wxCRM/fans?view=channels")}>渠道码</Button>}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="粉丝" placeholder="粉丝编号 / 会员号" />
          <Choice of={list.field("way")} label="来源" set={followWay} />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
          <DateRange of={list.range("from", "to")} label="最近关注" />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("member")} label="会员" set={MEMBER} />
          <AppChoice of={list.field("appRow")} />
          <ChannelPart of={list.field("channelId")} rows={list.rows} />
        </>
      }
      {...(level === "MCH" && {
        figures: <FanSyncs onDone={again} />,
      })}
      {...(mayExport && { exportSource: "wx-fans" })}
      columns={columnsOf(level === "MCH", list.open)}
      empty={{ text: "还没有粉丝。接通公众号以后，谁关注了就出现在这里；以前的粉丝点「同步粉丝」取回来" }}
    >
      <OneRow list={list} by={getFan} id={list.openId} title="粉丝详情" onClose={list.close}>
        {(row) => <FanDrawer row={row} onClose={list.close} />}
      </OneRow>
    </ListScreen>
  );
}
/** The code whose followers they are; it comes from 渠道码. */
function ChannelPart({ of, rows }: { of: FilterField; rows: readonly Row[] }): ReactNode {
  if (of.value === undefined) return null;
  const name = rows.find(({ channelId }) => channelId === of.value)?.channelName ?? "所选";
  return (
    <FilterPart label="渠道码" names={{ channelId: of.value }} shown={name} clear={() => of.set(undefined)}>
      <span className="filter-control">{name}</span>
    </FilterPart>
  );
}
function columnsOf(own: boolean, open: (id: string) => void) {
  const c = columns<Row>();
  return [
    c.link("no", "粉丝", (row) => open(row.id), { width: 112, copy: false }),
    c.text("channelName", "最近来源", sourceOf, { width: 176 }),
    c.text("first", "首次来源", (row) => sourceOf(row.first), { width: 176 }),
    c.text("storeName", "门店", { width: 132 }),
    c.time("firstFollow", "首次关注", { width: 168 }),
    c.time("lastFollow", "最近关注", { width: 168 }),
    c.code("state", "状态", fanState, { width: 88 }),
    c.time("leftAt", "取关时间", { width: 168, hidden: true }),
    c.text("memberNo", "会员", (row) => <MemberLink id={row.memberId} no={row.memberNo} />, { width: 128, keep: true }),
    c.text("merchantName", "商户", { width: 136, hidden: own }),
    c.text("appName", "公众号", { width: 136, hidden: own }),
    c.time("knownAt", "首次听到", { width: 168, hidden: true, sort: "-knownAt" }),
  ];
}

function FanDrawer({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const events = useDetail(getFanEvents, { id: row.id });
  return (
    <Drawer title="粉丝详情" onClose={onClose}>
      <HeroLine label={row.appName} value={`粉丝 ${row.no}`} status={<StatusTag of={fanState} code={row.state} />} />
      <p className="note">微信不给昵称和头像，用编号区分</p>
      <Group
        title="来源"
        pairs={[
          ["首次来源", sourceOf(row.first)],
          ["最近来源", sourceOf(row)],
          ["门店", row.storeName],
          ["首次关注", row.firstFollow ? <Time key="first" at={row.firstFollow} /> : "接入以前"],
          ["最近关注", row.lastFollow ? <Time key="last" at={row.lastFollow} /> : "接入以前"],
          ["取关时间", row.leftAt && <Time key="left" at={row.leftAt} />],
          ["会员", row.memberId && <MemberLink key="member" id={row.memberId} no={row.memberNo} />],
        ]}
      />
      <Group title="经过">
        <Loaded of={events}>
          {({ items, more }) => (
            <>
              <ul className="fan-events">
                {items.map((one) => (
                  <li key={one.id}>
                    <StatusTag of={fanEvent} code={one.event} />{" "}
                    {(one.channelName !== null || one.way !== null) && <span>{sourceOf(one)} </span>}
                    <small>
                      <Time at={one.at} />
                    </small>
                  </li>
                ))}
              </ul>
              {more && <p className="note">更早的没有列出</p>}
            </>
          )}
        </Loaded>
      </Group>
    </Drawer>
  );
}
