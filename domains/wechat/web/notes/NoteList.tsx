import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addNote, listNotes, noteCheck, noteKind, noteState } from "../../contract/index.ts";
import { DETAIL } from "./note-words.ts";

type Row = RowOf<typeof listNotes>;
/** 群发消息: what the merchant's accounts send to many. */
export function NoteList(): ReactNode {
  const list = useList(listNotes, { live_ms: 10_000 });
  const navigate = useNavigate();
  const c = columns<Row>();
  const adding = (
    <Act of={addNote}>
      <Button tone="primary" onClick={() => void navigate(DETAIL)}>
        新建群发
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="群发消息"
      unit="次"
      list={list}
      exportSource="group-notes"
      tabs={{ of: list.field("state"), set: noteState, counts: useCounts(list, "state", noteState) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="群发" placeholder="群发名称" maxLength={40} />
          <Choice of={list.field("check")} label="结果" set={noteCheck} />
          <DateRange of={list.range("from", "to")} label="创建时间" />
        </>
      }
      actions={adding}
      columns={[
        c.link("name", "群发", (row) => void navigate(`${DETAIL}?id=${row.id}`), {
          width: 192,
          copy: false,
          note: (row) => `${row.appName} · ${noteKind.label(row.kind)}`,
        }),
        c.code("state", "状态", noteState, { width: 120 }),
        c.number("people", "名单", { width: 88, hint: "发送那一刻冻结" }),
        c.number("atLimit", "额度用完", { width: 96, hint: "这个月的额度用完，没有发给他们" }),
        c.number("sent", "已发送", { width: 88, hint: "微信告诉的人数；没有告诉时是空的" }),
        c.number("failed", "失败", { width: 72 }),
        c.number("clicks", "点击", { width: 72, hint: "短链接被打开的次数" }),
        c.time("startsAt", "定时", { width: 168 }),
        c.text("madeBy", "创建人", { width: 96 }),
        c.text("decidedBy", "审核人", { width: 96 }),
        c.time("createdAt", "创建时间", { width: 168, sort: "-createdAt" }),
        c.number("taken", "微信已收下", { width: 96, hidden: true }),
        c.number("filtered", "微信过滤", { width: 96, hidden: true }),
      ]}
      empty={{ text: "还没有群发。选好粉丝和内容，另一人审核通过后发出，不花钱，只占额度", action: adding }}
    >
      {null}
    </ListScreen>
  );
}
