import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { rowsOf, selectedIds } from "@zhangfang/web/list/selected.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { PageButton } from "../../customer/web/index.ts";
import { ImportDrawer } from "../../imports/web/index.ts";
import {
  addMember,
  listMembers,
  listOpenings,
  memberSource,
  memberStage,
  memberStatus,
  memberViews,
  sendPoints,
  setMemberRemark,
  setPayCodeDoor,
  summariseMembers,
} from "../contract/index.ts";
import { AddMemberDrawer, PointsDrawer, RemarkDrawer } from "./form/MemberForms.tsx";
import { NumberRange } from "./form/NumberRange.tsx";
import { OpeningsDrawer } from "./form/Openings.tsx";
import { keepListed } from "./listed.ts";
import { membersActs } from "./member-acts.ts";
import { PayCodeDrawer } from "./PayCodeDrawer.tsx";
import { memberHref } from "./member-href.ts";
import "./members.css";

type Row = RowOf<typeof listMembers>;
const BATCH_MOST = 100;
const months = labelled(Object.fromEntries(Array.from({ length: 12 }, (_none, at) => [at + 1, `${at + 1} 月`])));
const away = labelled({ 30: "30 天没来", 60: "60 天没来", 90: "90 天没来", 180: "半年没来" });

/** 微信会员: who the customers are, what they hold and what they spent. */
export function MemberList(): ReactNode {
  const list = useList(listMembers, { views: memberViews });
  const sums = useSummary(summariseMembers, list.filters).data;
  const payCode = usePanel("pay-code");
  const [add, importing, remark, points, openings] = [
    usePanel("add"),
    usePanel("import"),
    usePanel("remark"),
    usePanel("points"),
    usePanel("openings"),
  ];
  const navigate = useNavigate();
  const numberOf = useNumbers(list.rows);
  const mayExport = useAct(["/member/member/export"]);
  const adding = (
    <>
      <Act of={listOpenings}>
        {sums !== undefined && sums.openings > 0 && <Button onClick={() => openings.open()}>{`待确认本金 ${sums.openings}`}</Button>}
      </Act>
      <PageButton />
      <Act of={setPayCodeDoor}>
        <Button onClick={() => payCode.open()}>付款码识别</Button>
      </Act>
      <Act of={["/member/member/import"]}>
        <Button onClick={() => importing.open()}>批量导入</Button>
      </Act>
      <Act of={addMember}>
        <Button tone="primary" onClick={() => add.open()}>
          新增会员
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="微信会员"
      unit="人"
      list={list}
      tabs={{ of: list.field("status"), set: memberStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["累计消费", <Money cents={sums.spentCents} symbol />],
          ["储值本金", <Money cents={sums.principalCents} symbol />],
          ["赠送（不可退）", <Money cents={sums.giftCents} />],
          ["积分", sums.points.toLocaleString("en-US")],
        ]
      }
      filters={<Filters list={list} levels={sums?.levels ?? []} />}
      moreFilters={<MoreFilters list={list} />}
      actions={adding}
      {...(mayExport && { exportSource: "members" })}
      batch={(selection) => <Ticked selection={selection} openPoints={points.open} numberOf={numberOf} />}
      columns={shownColumns({ remark: remark.open, points: points.open })}
      onOpen={(row) => void navigate(memberHref(row.id))}
      hrefOf={(row) => `#${memberHref(row.id)}`}
      empty={{ text: "还没有会员：顾客在收银端报手机号即可入会，也可从表格导入", action: adding }}
    >
      {add.id && <AddMemberDrawer onClose={add.close} />}
      {remark.id && <RemarkDrawer id={remark.id} onClose={remark.close} />}
      {points.id && <PointsDrawer ids={points.id.split(",")} onClose={points.close} />}
      {payCode.id && <PayCodeDrawer onClose={payCode.close} />}
      {openings.id && <OpeningsDrawer onClose={openings.close} />}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="members" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
    </ListScreen>
  );
}

/** The numbers of those who were shown, on this page or one before: whoever is ticked was. */
function useNumbers(rows: readonly Row[]): (id: string) => string | undefined {
  const numbers = useRef(new Map<string, string>());
  useEffect(() => {
    keepListed(rows.map(({ id }) => id));
    for (const { id, memberNo } of rows) numbers.current.set(id, memberNo);
  }, [rows]);
  return (id) => numbers.current.get(id);
}

type OfList = { readonly list: List<typeof listMembers> };
type Levels = OutputOf<typeof summariseMembers>["levels"];
const Filters = ({ list, levels }: OfList & { readonly levels: Levels }): ReactNode => (
  <>
    <Keyword of={list.field("keyword")} label="会员" placeholder="手机号 / 后四位 / 会员号 / 全名" maxLength={32} />
    <OrgFilter of={list} levels={["merchantId", "storeId"]} />
    <Choice of={list.field("stage")} label="类型" set={memberStage} />
    <Choice
      of={list.field("level")}
      label="等级"
      set={labelled({ 0: "无等级", ...Object.fromEntries(levels.map(({ rank, name }) => [rank, name])) })}
    />
    <Keyword of={list.field("tag")} label="标签" placeholder="完整的标签" maxLength={10} />
  </>
);
const MoreFilters = ({ list }: OfList): ReactNode => (
  <>
    <DateRange of={list.range("from", "to")} label="入会时间" />
    <DateRange of={list.range("activeFrom", "activeTo")} label="有消费的日期" />
    <AmountRange of={list.range("spentMin", "spentMax")} label="累计消费" />
    <AmountRange of={list.range("principalMin", "principalMax")} label="储值本金" />
    <NumberRange of={list.range("pointsMin", "pointsMax")} label="积分" />
    <NumberRange of={list.range("visitsMin", "visitsMax")} label="到店次数" />
    <Choice of={list.field("awayDays")} label="上次到店" set={away} />
    <Choice of={list.field("source")} label="来源" set={memberSource} />
    <Choice of={list.field("birthMonth")} label="生日月份" set={months} />
    <Keyword of={list.field("remark")} label="备注" maxLength={32} />
  </>
);

interface OfTicked {
  readonly selection: Selection;
  readonly numberOf: (id: string) => string | undefined;
}
const Ticked = ({ selection, numberOf, openPoints }: OfTicked & { readonly openPoints: (ids: string) => void }): ReactNode => (
  <>
    <PointsToTicked selection={selection} open={openPoints} />
    <OthersToTicked selection={selection} numberOf={numberOf} />
  </>
);
function PointsToTicked({ selection, open }: { selection: Selection; open: (ids: string) => void }): ReactNode {
  const go = async (): Promise<void> => {
    const ids = await selectedIds(listMembers, selection, { most: BATCH_MOST, unit: "人" });
    if (ids && ids.length > 0) open(ids.join(","));
  };
  return (
    <Act of={sendPoints}>
      <Button small onClick={() => void go()}>
        发送积分
      </Button>
    </Act>
  );
}

/** What other rooms do to those who are ticked: 发券包. */
function OthersToTicked({ selection, numberOf }: OfTicked): ReactNode {
  const [open, setOpen] = useState<{ readonly title: string; readonly memberNos: readonly string[] }>();
  const acts = membersActs();
  const go = async (title: string): Promise<void> => {
    // Says so where there are more than go at once.
    const ids = await selectedIds(listMembers, selection, { most: BATCH_MOST, unit: "人" });
    if (!ids) return;
    const found = selection.all ? await rowsOf(listMembers, selection.filters, BATCH_MOST).catch(() => []) : undefined;
    const memberNos = found ? found.map(({ memberNo }) => memberNo) : ids.flatMap((id) => numberOf(id) ?? []);
    if (memberNos.length > 0) setOpen({ title, memberNos });
  };
  const shown = acts.find(({ title }) => title === open?.title);
  return (
    <>
      {acts.map(({ title, of }) => (
        <Act key={title} of={of}>
          <Button small onClick={() => void go(title)}>
            {title}
          </Button>
        </Act>
      ))}
      {open && shown && (
        <Suspense fallback={null}>
          <shown.Drawer memberNos={open.memberNos} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function shownColumns({ remark, points }: Readonly<Record<"remark" | "points", (id: string) => void>>) {
  const c = columns<Row>();
  return [
    c.link("memberNo", "会员号", { to: (row) => memberHref(row.id) }, { width: 132 }),
    c.text("name", "姓名", { width: 84, keep: true }),
    c.text("phone", "手机号", {
      width: 124,
      keep: true,
      note: (row) => (row.phone !== "" && !row.confirmed && row.status < 4 ? "未确认" : null),
    }),
    c.text("level", "等级", { width: 80, keep: true }),
    c.number("points", "积分", { width: 88 }),
    c.money("principalCents", "储值本金（元）", { width: 120 }),
    c.money("giftCents", "赠送（元）", { width: 104, hint: "赠送不可退，不折现" }),
    c.money("spentCents", "累计消费（元）", { width: 128, sort: "-spentCents", main: true }),
    c.number("visits", "到店次数", { width: 88 }),
    c.time("lastVisitAt", "上次到店", { sort: "-lastVisitAt" }),
    c.text("tags", "标签", (row) => row.tags.join("、"), { width: 120 }),
    c.text("remark", "备注", { width: 140 }),
    c.text("homeStore", "入会门店", { width: 120, hidden: true }),
    c.code("source", "来源", memberSource, { width: 96, hidden: true }),
    c.code("stage", "类型", memberStage, { width: 84, keep: false }),
    c.code("status", "状态", memberStatus, { width: 84 }),
    c.time("createdAt", "入会时间", { sort: "-createdAt" }),
    c.actions(
      (row) =>
        row.status < 4 && (
          <>
            <Act of={setMemberRemark}>
              <Button tone="link" onClick={() => remark(row.id)}>
                备注
              </Button>
            </Act>
            {row.status < 3 && (
              <Act of={sendPoints}>
                <Button tone="link" onClick={() => points(row.id)}>
                  发积分
                </Button>
              </Act>
            )}
          </>
        ),
      { width: 124, of: [setMemberRemark, sendPoints] },
    ),
  ];
}
