import { type ReactNode, Suspense } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { ImportDrawer } from "../../../imports/web/index.ts";
import {
  addEquipment,
  deviceModel,
  equipmentState,
  getEquipment,
  holderLevel,
  listEquipment,
  moveEquipment,
  moveKind,
  summariseEquipment,
} from "../../contract/index.ts";
import { IntakeDrawer, MoveDrawer, type StockMove, STOCK_MOVES } from "./EquipmentForms.tsx";

type Row = RowOf<typeof listEquipment>;
/** So many things are moved at once. */
const AT_ONCE = 500;
const holderOf = (row: Row): string => row.merchantName ?? row.providerName ?? "平台库存";

/** 设备台账: every thing from the day it came, who holds it, and what became of it. */
export function EquipmentList(): ReactNode {
  const list = useList(listEquipment);
  const sums = useSummary(summariseEquipment, list.filters).data;
  const piece = useDetail(getEquipment, list.openId && { id: list.openId });
  const [intake, move] = [usePanel("intake"), usePanel("move")];
  const [kind, ids] = (move.id ?? "").split("~");
  const importing = usePanel("import");
  const adding = (
    <Act of={addEquipment}>
      <Button onClick={() => importing.open()}>批量导入</Button>
      <Button tone="primary" onClick={() => intake.open()}>
        入库
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="设备台账"
      unit="台"
      list={list}
      exportSource="equipment"
      tabs={{ of: list.field("state"), set: equipmentState, counts: sums?.byState }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="设备" placeholder="编号 / 批次" />
          <Choice of={list.field("model")} label="型号" set={deviceModel} />
          <Choice of={list.field("holder")} label="归属" set={holderLevel} />
        </>
      }
      moreFilters={<OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />}
      actions={adding}
      batch={(selection) => <MoveBatch selection={selection} rows={list.rows} onMove={(one, chosen) => move.open(`${one}~${chosen}`)} />}
      columns={shownColumns(list.open, (one, id) => move.open(`${one}~${id}`))}
      empty={{ text: "还没有设备入库", action: adding }}
    >
      {list.openId && (
        <DetailDrawer title="设备台账" of={piece} onClose={list.close}>
          {(row) => <Details row={row} />}
        </DetailDrawer>
      )}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="equipment" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {intake.id && <IntakeDrawer onClose={intake.close} />}
      {kind && ids && (
        <MoveDrawer
          kind={kind as StockMove}
          pieces={list.rows.filter(({ id }) => ids.split(",").includes(id))}
          ids={ids.split(",")}
          onClose={move.close}
        />
      )}
    </ListScreen>
  );
}

/** What is done with the ticked things, or with all that the filter finds: what all of those in sight may undergo. */
function MoveBatch({
  selection,
  rows,
  onMove,
}: {
  selection: Selection;
  rows: readonly Row[];
  onMove: (kind: StockMove, ids: string) => void;
}): ReactNode {
  const meant = rows.filter(({ id }) => selection.all || selection.ids.includes(id));
  const go = async (kind: StockMove): Promise<void> => {
    const ids = await selectedIds(listEquipment, selection, { most: AT_ONCE, unit: "台设备" });
    if (ids && ids.length > 0) onMove(kind, ids.join(","));
  };
  return (
    <Act of={moveEquipment}>
      {STOCK_MOVES.map((one) => {
        const not = meant.find(({ may }) => !may.includes(one));
        const title = not && `${not.sn} ${equipmentState.label(not.state)}，不能${moveKind.label(one)}`;
        return (
          <Button key={one} small disabled={not !== undefined} title={title} onClick={() => void go(one)}>
            {moveKind.label(one)}
          </Button>
        );
      })}
    </Act>
  );
}

function shownColumns(open: (id: string) => void, onMove: (kind: StockMove, id: string) => void) {
  const c = columns<Row>();
  return [
    c.link("sn", "设备编号", (row) => open(row.id), { width: 148 }),
    c.text("model", "型号", { width: 148 }),
    c.code("state", "状态", equipmentState, { width: 88 }),
    c.text("holder", "归属", holderOf, { width: 140 }),
    c.text("storeName", "门店", { width: 120 }),
    c.text("batch", "批次", { width: 108 }),
    c.time("movedAt", "最近流转", { width: 168 }),
    c.time("createdAt", "入库时间", { hidden: true }),
    c.text("providerName", "服务商", { hidden: true }),
    c.actions(
      (row) => (
        <Act of={moveEquipment}>
          {STOCK_MOVES.filter((one) => row.may.includes(one)).map((one) => (
            <Button key={one} tone="link" onClick={() => onMove(one, row.id)}>
              {moveKind.label(one)}
            </Button>
          ))}
        </Act>
      ),
      { width: 176, of: [moveEquipment] },
    ),
  ];
}

function Details({ row }: { row: OutputOf<typeof getEquipment> }): ReactNode {
  return (
    <>
      <HeroLine
        label={row.model}
        value={<span className="num">{row.sn}</span>}
        status={<StatusTag of={equipmentState} code={row.state} />}
      />
      <Group
        title="归属"
        pairs={[
          ["归属", holderOf(row)],
          ["门店", row.storeName],
          ["批次", row.batch],
          ["入库时间", <Time at={row.createdAt} />],
        ]}
      />
      <Group title="流转记录">
        <Timeline
          items={row.moves.toReversed().map((one) => ({
            title: moveKind.label(one.kind),
            at: one.at,
            tone: one.kind === "retire" ? "ended" : one.kind === "bind" ? "good" : "active",
            note: `${one.from} → ${one.storeName && one.kind === "bind" ? `${one.to} ${one.storeName}` : one.to}，${one.byName}${one.note ? `：${one.note}` : ""}`,
          }))}
        />
        {row.moves.length === 0 && <p className="note">还没有记录</p>}
      </Group>
    </>
  );
}
