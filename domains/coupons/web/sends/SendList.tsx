import "../coupons.css";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn } from "../../../members/web/index.ts";
import {
  askRevoke,
  createPackageSend,
  createSend,
  decideRevoke,
  getCampaign,
  getPackage,
  getSend,
  listSendRows,
  listSends,
  revokeStatus,
  sendRowStatus,
  sendStatus,
  steerSend,
} from "../../contract/index.ts";
import { counted, minute } from "../campaigns/campaign-words.ts";
import { campaignPath } from "../campaigns/use-side.ts";
import { NewSend } from "./NewSend.tsx";

type Row = RowOf<typeof listSends>;
const READS = [listSends, getSend, listSendRows];

/** 批量发券任务: a coupon to many members, each once. */
export function SendList(): ReactNode {
  const list = useList(listSends, { live_ms: 5_000 });
  const add = usePanel("add");
  const [mayCoupons, mayPackages] = [useAct(createSend), useAct(createPackageSend)];
  const adding = (mayCoupons || mayPackages) && (
    <Button tone="primary" onClick={() => add.open()}>
      新建任务
    </Button>
  );
  const mayExport = useAct(["/ticket/batchSend/export"]);
  const c = columns<Row>();
  return (
    <ListScreen
      title="批量发券任务"
      unit="个"
      list={list}
      tabs={{ of: list.field("status"), set: sendStatus, counts: useCounts(list, "status", sendStatus) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="任务" placeholder="任务名称" maxLength={40} />
          <DateRange of={list.range("from", "to")} label="创建时间" />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "sends" })}
      columns={[
        c.link("name", "任务", (row) => list.open(row.id), { width: 168 }),
        c.text("thingName", "券或券包", { width: 168, note: (row) => row.worth }),
        c.code("status", "状态", sendStatus, { width: 88 }),
        c.text("sent", "进度", (row) => <Progress of={row} />, { width: 168 }),
        c.number("failed", "失败", { width: 72 }),
        c.number("skipped", "跳过", { width: 72, hint: "不在领取范围、已达限领张数、已冻结或注销的会员" }),
        c.time("startsAt", "开始时间", { width: 152 }),
        c.text("ownerName", "创建人", { width: 96 }),
        c.time("createdAt", "创建时间", { width: 168, hidden: true }),
        c.text("merchantName", "商户", (row) => row.merchantName ?? "服务商", { width: 144, hidden: true }),
      ]}
      empty={{ text: "还没有任务。选一张发放中的券或一个券包，上传名单或按条件选会员，每人只发一次", action: adding }}
    >
      {list.openId && <Send id={list.openId} onClose={list.close} />}
      {add.id && <NewSend onClose={add.close} onMade={list.open} />}
    </ListScreen>
  );
}

/** How far a task has come: while its list is made, how much of that is there. */
function Progress({ of }: { of: Row }): ReactNode {
  const rows = of.waiting + of.sent + of.failed + of.skipped;
  const [words, done, total] =
    of.toMake > 0 || of.status === 4
      ? ([`名单 ${counted(rows)} / ${counted(rows + of.toMake)}`, rows, rows + of.toMake] as const)
      : ([`已发 ${counted(of.sent)} / ${counted(rows)}`, rows - of.waiting, rows] as const);
  return (
    <span className="coupon-progress">
      <span className="num">{words}</span>
      <progress max={Math.max(1, total)} value={done} aria-label={`${of.name} 的进度`} />
    </span>
  );
}
const works = ({ status }: Pick<Row, "status">): boolean => status === 0 || status === 4;

/** What an act is called, what is said after it, and what takes it back. */
const ACTS = {
  pause: ["暂停", "已暂停", "resume"],
  resume: ["继续", "继续发送", "pause"],
  retry: ["重试失败", "失败的正在重发", undefined],
  cancel: ["取消任务", "已取消，没发的不再发", undefined],
} as const;
type SendAct = keyof typeof ACTS;
function actsOf({ status, failed, mine }: Row): readonly SendAct[] {
  if (!mine) return [];
  if (works({ status })) return ["pause", "cancel"];
  if (status === 1) return ["resume", "cancel"];
  return status === 2 && failed > 0 ? ["retry"] : [];
}

function Send({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const task = useDetail(getSend, { id }, { until: (row) => !works(row) && row.revoke?.status !== 1 });
  const [busy, run] = useRun(READS);
  const [asking, setAsking] = useState(false);
  const steer = async (row: Row, act: SendAct): Promise<void> => {
    if (act === "cancel") {
      const text = `取消「${row.name}」？还没发的 ${counted(row.waiting + row.toMake)} 人不再发，已发的 ${counted(row.sent)} 人不受影响。取消后不能恢复。`;
      if (!(await confirm(text, { ok: "取消任务", cancel: "不取消", danger: true }))) return;
    }
    await run(async () => {
      await call(steerSend, { id, act });
      const [, done, back] = ACTS[act];
      undoable(done, back && (() => void run(() => call(steerSend, { id, act: back }))));
    });
  };
  return (
    <DetailDrawer
      title="批量发券任务"
      of={task}
      onClose={onClose}
      footer={
        <>
          {task.data &&
            task.data.mine &&
            !works(task.data) &&
            task.data.sent > 0 &&
            (task.data.revoke === null || task.data.revoke.status === 3) && (
              <Act of={askRevoke}>
                <Button onClick={() => setAsking(true)}>作废已发的券</Button>
              </Act>
            )}
          <Act of={steerSend}>
            {task.data &&
              actsOf(task.data).map((act) => (
                <Button key={act} tone={act === "resume" ? "primary" : "plain"} busy={busy} onClick={() => void steer(task.data!, act)}>
                  {ACTS[act][0]}
                </Button>
              ))}
          </Act>
        </>
      }
    >
      {(row) => (
        <>
          {row.status === 4 && <p className="note">正在准备名单，发给谁从创建任务时起不变；准备好才开始发。</p>}
          {asking && <AskRevoke of={row} onClose={() => setAsking(false)} />}
          <HeroLine label={`${row.thingName} · ${row.worth}`} value={row.name} status={<StatusTag of={sendStatus} code={row.status} />} />
          {row.pausedWhy !== "" && <p className="note">{row.pausedWhy}</p>}
          <Progress of={row} />
          <Group
            title="进度"
            pairs={[
              ["已发", `${counted(row.sent)} 人`],
              ["待发", `${counted(row.waiting + row.toMake)} 人`],
              ["失败", `${counted(row.failed)} 人`],
              ["跳过", `${counted(row.skipped)} 人`],
              [row.packageId === null ? "优惠券" : "券包", <ThingLink of={row} />],
              ["开始时间", minute(row.startsAt)],
              ["创建人", row.ownerName],
            ]}
          />
          <Revoke of={row} />
          {/* What was read while it was under way is read once more when it rests. */}
          <Rows key={String(works(row))} task={row} />
        </>
      )}
    </DetailDrawer>
  );
}
type Task = OutputOf<typeof getSend>;
/** 作废: who asked why, and the other person's yes or no. */
function Revoke({ of: { id, name, coupons, revoke } }: { of: Task }): ReactNode {
  const [busy, run] = useRun(READS);
  if (!revoke) return null;
  const decide = async (approve: boolean): Promise<void> => {
    const text = approve
      ? `作废「${name}」发出的券？还没用的 ${counted(coupons.usable)} 张立即不能用，${counted(coupons.using)} 张被订单占着的放开后作废，已用的 ${counted(coupons.used)} 张不变。作废后不能恢复。`
      : `驳回对「${name}」的作废申请？券照常能用。`;
    if (!(await confirm(text, { ok: approve ? "作废" : "驳回", danger: approve }))) return;
    await run(async () => {
      await call(decideRevoke, { id, approve });
      success(approve ? "正在作废" : "已驳回，券照常能用");
    });
  };
  return (
    <Group
      title="作废"
      pairs={[
        ["状态", <StatusTag of={revokeStatus} code={revoke.status} />],
        ["原因", revoke.reason],
        ["申请人", `${revoke.askedBy} ${minute(revoke.askedAt)}`],
        ["确认人", revoke.decidedBy],
      ]}
    >
      {revoke.status === 0 && !revoke.mayDecide && <p className="note">须由另一人确认，申请人自己不能确认</p>}
      {revoke.mayDecide && (
        <Act of={decideRevoke}>
          <div className="coupon-rows-head">
            <Button tone="danger" busy={busy} onClick={() => void decide(true)}>
              确认作废
            </Button>
            <Button busy={busy} onClick={() => void decide(false)}>
              驳回
            </Button>
          </div>
        </Act>
      )}
    </Group>
  );
}
/** 申请作废: what it would take back is counted before it is asked for. */
function AskRevoke({ of: { id, name, coupons }, onClose }: { of: Task; onClose: () => void }): ReactNode {
  const form = useForm(askRevoke, {
    initial: { id, reason: "" },
    draft: false,
    done: "已申请，等另一人确认",
    refreshes: READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`作废 ${name}`} submit="申请作废" onClose={onClose}>
      <p className="note">
        还没用的 {counted(coupons.usable)} 张会作废；{counted(coupons.using)} 张被订单占着，放开后作废；已用的 {counted(coupons.used)}{" "}
        张不变。
      </p>
      <Field of={form.field("reason")} label="作废原因" help="顾客会在「我的券」里看到">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}
function ThingLink({ of: { campaignId, packageId, thingName, thingNo } }: { of: Row }): ReactNode {
  const words = `${thingName}（${thingNo}）`;
  const { level } = useUser();
  const [mayCampaign, mayPackage] = [useAct(getCampaign), useAct(getPackage)];
  if (packageId !== null) return mayPackage ? <Link to={`/ticket/group?id=${packageId}`}>{words}</Link> : words;
  return mayCampaign && campaignId !== null ? <Link to={campaignPath(level, campaignId)}>{words}</Link> : words;
}

const rowsShown = labelled({ all: "全部", failed: "失败", skipped: "跳过", waiting: "待发", sent: "已发" });
const STATUS = { all: undefined, failed: 2, skipped: 3, waiting: 0, sent: 1 } as const;
/** What became of each row; what failed stands first where something did. */
function Rows({ task }: { task: OutputOf<typeof getSend> }): ReactNode {
  const [chosen, setShown] = useState<CodeOf<typeof rowsShown>>();
  const shown = chosen ?? (task.failed > 0 ? "failed" : "all");
  const status = STATUS[shown];
  const filters = { taskId: task.id, ...(status !== undefined && { status }) };
  const rows = useDetail(listSendRows, { ...filters, pageSize: 100, withTotal: true }, works(task) ? { live_ms: 3_000 } : {});
  const mayExport = useAct(["/ticket/batchSend/export"]);
  const c = columns<RowOf<typeof listSendRows>>();
  const shownColumns = [
    c.number("place", "行", { width: 72 }),
    c.text("memberNo", "会员号", { width: 112 }),
    memberColumn<RowOf<typeof listSendRows>>(),
    c.code("status", "结果", sendRowStatus, { width: 72 }),
    c.text("reason", "原因", { width: 176 }),
  ];
  return (
    <Group title="名单">
      <div className="coupon-rows-head">
        <Segments small label="名单里的" set={rowsShown} value={shown} onChange={setShown} />
        {mayExport && (
          <Export
            source="send-rows"
            title="批量发券名单"
            unit="行"
            list={{ filters: filters as never, total: rows.data?.total }}
            columns={shownColumns}
          />
        )}
      </div>
      <Loaded of={rows}>
        {({ items, next }) => (
          <>
            <DataTable label="名单" rows={items} columns={shownColumns} blank={<p className="note">没有这样的行</p>} />
            {next !== null && <p className="note">这里是前 100 行，全部请导出</p>}
          </>
        )}
      </Loaded>
      <p className="note">已发的行就是凭证，怎么点都不会再发一次。</p>
    </Group>
  );
}
