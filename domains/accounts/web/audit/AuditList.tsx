import { type ReactNode, useState } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { auditField, auditValue, getAudit, listAudit, verifyAuditLog } from "../../contract/index.ts";
import "../accounts.css";

type Row = RowOf<typeof listAudit>;
type Verdict = OutputOf<typeof verifyAuditLog>;
const byWhom = labelled({ true: "代管操作", false: "本人操作" });

/** 操作日志: who did what, as whom, to what and from where; and whether anybody tampered with it. */
export function AuditList(): ReactNode {
  const list = useList(listAudit, { defaults: { from: daysAgo(6), to: today() } });
  const mayExport = useAct(["/jurisdiction/audit/export"]);
  const { level } = useUser();
  const c = columns<Row>();
  return (
    <ListScreen
      title="操作日志"
      unit="条"
      list={list}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="时间" />
          <Keyword of={list.field("keyword")} label="账号" placeholder="登录名" />
          <Keyword of={list.field("title")} label="操作" placeholder="如：停用、退款" maxLength={32} />
          <Choice of={list.field("acting")} label="方式" set={byWhom} />
        </>
      }
      moreFilters={
        <>
          <Keyword of={list.field("targetId")} label="对象编号" />
          <OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />
        </>
      }
      {...(mayExport && { exportSource: "audit-log" })}
      columns={[
        c.time("at", "时间", { sort: "-at", width: 170 }),
        c.text("login", "账号", { width: 130 }),
        c.text("actorLogin", "代管人", (row) => row.actorLogin && <Tag tone="warn">{row.actorLogin}</Tag>, { width: 110 }),
        c.text("title", "操作", { width: 150 }),
        c.text("changes", "变更", (row) => summaryOf(row), { width: 320 }),
        ...(level === "MCH" ? [] : [c.text("merchantName", "商户", { width: 130 })]),
        c.text("ip", "来源", { width: 130 }),
        c.text("traceId", "追踪编号", { hidden: true }),
      ]}
      actions={
        <Act of={verifyAuditLog}>
          <Verify />
        </Act>
      }
      empty={{ text: "这段时间没有操作记录", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      <OneRow list={list} by={getAudit} id={list.openId} title="操作日志" onClose={list.close}>
        {(row) => <AuditDetail row={row} onClose={list.close} />}
      </OneRow>
    </ListScreen>
  );
}

const summaryOf = ({ changes, targetKind }: Row): string =>
  changes
    .slice(0, 2)
    .map(
      ({ field, before, after }) =>
        `${auditField(field)}：${cut(auditValue(field, before, targetKind))} → ${cut(auditValue(field, after, targetKind))}`,
    )
    .join("；") + (changes.length > 2 ? ` 等 ${changes.length} 项` : "");
const cut = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

/** Asks whether the chain over the log still fits, and says what came of it. */
function Verify(): ReactNode {
  const [state, setState] = useState<Verdict | "asking">();
  const verify = (): void => {
    setState("asking");
    call(verifyAuditLog, {}).then(setState, () => setState(undefined));
  };
  return (
    <>
      {typeof state === "object" && (
        <span role="status" className={state.brokenCount > 0 ? "audit-broken" : "audit-whole"}>
          {state.brokenCount > 0
            ? `发现 ${state.brokenCount} 条记录被改动、删除或插入，首条 ${state.broken[0] ?? ""}`
            : `${shanghaiTime(state.checkedAt).slice(11)} 核验 ${state.checked.toLocaleString("en-US")} 条，未被改动`}
          {state.pending > 0 && `，${state.pending} 条待封存`}
        </span>
      )}
      <Button busy={state === "asking"} onClick={verify}>
        核验完整性
      </Button>
    </>
  );
}

function AuditDetail({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  return (
    <Drawer title={row.title} onClose={onClose} width={880}>
      <Group
        title="操作"
        pairs={[
          ["时间", <Time at={row.at} />],
          ["账号", row.login],
          ["真实操作人", row.actorLogin ?? row.login],
          ["来源", row.ip],
          ["服务商", row.serviceProviderName],
          ["商户", row.merchantName],
          ["对象", row.targetId && <Copy text={row.targetId} />],
          ["追踪编号", row.traceId && <Copy text={row.traceId} />],
        ]}
      />
      <Group title={`变更（${row.changes.length}）`}>
        {row.changes.length === 0 ? (
          <p className="note">没有记录字段变更</p>
        ) : (
          <table className="account-passwords">
            <thead>
              <tr>
                <th scope="col">字段</th>
                <th scope="col">变更前</th>
                <th scope="col">变更后</th>
              </tr>
            </thead>
            <tbody>
              {row.changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <td>{auditField(field)}</td>
                  <td className="audit-value">{auditValue(field, before, row.targetKind)}</td>
                  <td className="audit-value">{auditValue(field, after, row.targetKind)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Group>
    </Drawer>
  );
}
