import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { bureauState, getRed, listReds, redReason, redStatus, steerRed, summariseReds, takeRed } from "../contract/index.ts";
import { TakeRed } from "./InvoiceForms.tsx";

type Row = RowOf<typeof listReds>;
const READS = [listReds, summariseReds];

/** 红字: what was taken back, what waits for the other side, and until when. */
export function RedList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listReds, { live_ms: 30_000 });
  const sums = useSummary(summariseReds, list.filters).data;
  const take = usePanel("takeRed");
  const c = columns<Row>();
  return (
    <ListScreen
      title="商户开票配置"
      unit="张"
      list={list}
      actions={views}
      tabs={{ of: list.field("status"), set: redStatus, counts: sums?.byStatus }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="红字" placeholder="红字 / 蓝字号码 / 订单号" />
          <DateRange of={list.range("from", "to")} label="提交时间" />
        </>
      }
      totals={sums && [["冲红金额", <Money key="sum" cents={sums.totalCents} symbol />]]}
      columns={[
        c.time("createdAt", "提交时间", { width: 168, sort: "-createdAt" }),
        c.link("invoiceNo", "蓝字发票", (row) => list.open(row.id), { width: 216, copy: false, note: (row) => row.title }),
        c.money("totalCents", "金额（元）", { width: 112 }),
        c.code("reason", "原因", redReason, { width: 96 }),
        c.code("status", "状态", redStatus, {
          width: 112,
          note: (row) => (row.manual ? "人工核对" : row.bureau === null ? "" : bureauState.label(row.bureau)),
        }),
        c.time("until", "对方确认期限", { width: 168 }),
        c.text("redNo", "红字号码", (row) => row.redNo && <span className="num">{row.redNo}</span>, { width: 200 }),
        c.text("why", "说明", { width: 200 }),
        c.text("byName", "提交人", { width: 96 }),
        c.actions((row) => <Acts of={row} tone="link" onTake={() => take.open(row.id)} />, { width: 112, of: [steerRed, takeRed] }),
      ]}
      empty={{ text: "没有红字发票。发票开错或退款时红冲，数电票不能作废" }}
    >
      <OneRow list={list} by={getRed} id={list.openId} title="红字详情" onClose={list.close}>
        {(row) => <RedDetail of={row} neighbours={<Neighbours of={list} />} onClose={list.close} onTake={() => take.open(row.id)} />}
      </OneRow>
      <OneRow list={list} by={getRed} id={take.id} title="按平台的红冲金额记账" onClose={take.close}>
        {(row) => row.saidCents !== null && <TakeRed of={{ ...row, saidCents: row.saidCents }} onClose={take.close} />}
      </OneRow>
    </ListScreen>
  );
}
interface RedDetailProps {
  readonly of: Row;
  readonly neighbours: ReactNode;
  readonly onClose: () => void;
  readonly onTake: () => void;
}
function RedDetail({ of: open, neighbours, onClose, onTake }: RedDetailProps): ReactNode {
  return (
    <Drawer title="红字详情" onClose={onClose} extra={neighbours} footer={<Acts of={open} tone="plain" onTake={onTake} />}>
      <HeroLine label={redReason.label(open.reason)} amount={open.totalCents} status={<StatusTag of={redStatus} code={open.status} />} />
      {open.status === 2 && open.until && (
        <p className="notice notice-warn">
          等对方确认到 <Time at={open.until} />
          。对方在电子税务局的 红字发票信息确认单 里处理；到期没确认自动作废。
        </p>
      )}
      {open.why && <p className="notice notice-warn">{open.why}</p>}
      {open.takeWhy !== null && open.saidCents !== null && (
        <p className="notice">
          平台红冲的是 {yuan(open.saidCents)} 元，已按平台的结果记账：{open.takeWhy}
        </p>
      )}
      <Group
        title="红字"
        pairs={[
          ["蓝字发票", <Copy key="blue" text={open.invoiceNo} />],
          ["红字号码", open.redNo && <Copy key="red" text={open.redNo} />],
          ["确认单号", <Copy key="form" text={open.number} />],
          ["税局状态", open.bureau !== null && bureauState.label(open.bureau)],
          ["抬头", open.title],
          ["提交人", open.byName],
          ["提交时间", <Time key="at" at={open.createdAt} />],
          ["结束时间", open.endedAt && <Time key="end" at={open.endedAt} />],
        ]}
      />
    </Drawer>
  );
}
function Acts({
  of: { id, status, manual, invoiceNo, totalCents, saidCents },
  tone,
  onTake,
}: {
  of: Row;
  tone: "link" | "plain";
  onTake: () => void;
}): ReactNode {
  const [busy, run] = useRun(READS);
  if (status > 2) return null;
  const steer = async (act: "revoke" | "ask"): Promise<void> => {
    const text = `撤销发票 ${invoiceNo} 的红字，${yuan(totalCents)} 元？蓝字发票回到已开票。`;
    if (act === "revoke" && !(await confirm(text, { ok: "撤销红字", danger: true }))) return;
    await run(async () => {
      await call(steerRed, { id, act });
      success(act === "revoke" ? "已提交撤销" : "正在问平台");
    });
  };
  return (
    <>
      {manual && saidCents !== null && (
        <Act of={takeRed}>
          <Button tone={tone} onClick={onTake}>
            按平台记账
          </Button>
        </Act>
      )}
      <Act of={steerRed}>
        {status === 2 && (
          <Button tone={tone} busy={busy} onClick={() => void steer("revoke")}>
            撤销
          </Button>
        )}
        {(manual || status === 2) && (
          <Button tone={tone} busy={busy} onClick={() => void steer("ask")}>
            再查
          </Button>
        )}
      </Act>
    </>
  );
}
