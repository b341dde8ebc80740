import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { subjectType, type SubjectType } from "../../contract/codes.ts";
import { applymentState, getApplymentAccount, listApplyments, summariseApplyments } from "../../contract/index.ts";
import { AccountDrawer } from "./AccountDrawer.tsx";
import { ApplymentPage } from "./ApplymentPage.tsx";
import { minute } from "./info-words.ts";

type Row = RowOf<typeof listApplyments>;
const subjectWords = (code: string): string =>
  subjectType.values.includes(code as SubjectType) ? subjectType.label(code as SubjectType) : "";

/** 进件详情: every application and how it stands; one of them has the page to itself. */
export function ApplymentInfo(): ReactNode {
  const list = useList(listApplyments, { live_ms: 30_000 });
  return list.openId ? <ApplymentPage id={list.openId} onBack={list.close} /> : <Applyments list={list} />;
}
function Applyments({ list }: { list: ReturnType<typeof useList<typeof listApplyments>> }): ReactNode {
  const sums = useSummary(summariseApplyments, list.filters).data;
  const account = usePanel("account");
  const mayExport = useAct(["/applyment/info/export"]);
  const mayFill = useAct(["/applyment/form"]);
  const c = columns<Row>();
  return (
    <ListScreen
      title="进件详情"
      unit="份"
      list={list}
      tabs={{ of: list.field("state"), set: applymentState, counts: sums?.byState }}
      filters={<Keyword of={list.field("keyword")} label="进件" placeholder="商户 / 申请单 / 子商户号" />}
      actions={
        <Act of={getApplymentAccount}>
          <Button onClick={() => account.open()}>进件账户</Button>
        </Act>
      }
      {...(mayExport && { exportSource: "applyments" })}
      columns={[
        c.link("merchantName", "商户", (row) => list.open(row.id), { width: 176, copy: false, note: (row) => row.shortName }),
        c.text("subject", "主体", (row) => subjectWords(row.subject), { width: 96 }),
        c.code("state", "状态", applymentState, { width: 112, note: (row) => noteOf(row) }),
        c.time("stateAt", "从何时起", { width: 168 }),
        c.text("subMchId", "子商户号", (row) => <span className="num">{row.subMchId}</span>, { width: 120 }),
        c.time("askedAt", "最近查询", { width: 168 }),
        c.text("byName", "提交人", { width: 168, note: (row) => `第 ${row.rounds} 次 · ${minute(row.submittedAt)}` }),
        c.text("code", "申请单号", (row) => <span className="num">{row.code}</span>, { width: 312, hidden: true }),
        c.time("createdAt", "创建时间", { width: 168, hidden: true, sort: "-createdAt" }),
      ]}
      empty={{ text: mayFill ? "还没有提交过进件。在进件申请里填好资料，体检没有错误就能提交" : "服务商还没有为你提交进件" }}
    >
      {account.id && <AccountDrawer onClose={account.close} />}
    </ListScreen>
  );
}
/** What a person has to look at, before they open it. */
const noteOf = ({ alarm, otherNumber, sending }: Row): string =>
  alarm ? "需要查看" : otherNumber ? "商户号待选定" : sending ? "正在提交" : "";
