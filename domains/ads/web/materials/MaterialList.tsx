import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { usePreference } from "@zhangfang/web/look/preferences.ts";
import {
  auditMaterials,
  auditStatus,
  getMaterialById,
  getMaterials,
  materialKind,
  removeMaterials,
  startUpload,
  summariseMaterials,
} from "../../contract/index.ts";
import { MaterialActs, MaterialDetails, useRemove } from "./MaterialDetails.tsx";
import { AuditDrawer, RenameDrawer } from "./MaterialForms.tsx";
import "./materials.css";
import { MaterialTiles } from "./MaterialTiles.tsx";
import { type Material, Thumb } from "./MaterialView.tsx";
import { lengthWords, sizeWords } from "./words.ts";

const view = labelled({ tiles: "平铺", list: "列表" });
type View = "tiles" | "list";

/** 广告素材: what may be shown, as it looks or as a list; looked at here by the level above. */
export function MaterialList(): ReactNode {
  const list = useList(getMaterials);
  const sums = useSummary(summariseMaterials, list.filters).data;
  const one = useDetail(getMaterialById, list.openId && { material_id: list.openId });
  const [audit, rename] = [usePanel("audit"), usePanel("rename")];
  const [chosen, choose] = usePreference<View>("materials-view");
  const looks: View = chosen ?? "tiles";
  const seen = useSeen(list.rows, one.data);
  const meant = (audit.id ?? "").split(",").flatMap((id) => seen(id) ?? []);
  const renamed = rename.id && seen(rename.id);
  const audits = useAct(auditMaterials);
  const adding = (
    <Act of={startUpload}>
      <Link className="btn btn-primary" to="/ad/materials/add">
        新增素材
      </Link>
    </Act>
  );
  return (
    <ListScreen
      title="广告素材"
      unit="个"
      list={list}
      exportSource="ad-materials"
      tabs={{ of: list.field("audit_status"), set: auditStatus, counts: sums?.byStatus }}
      totals={sums && [["占用空间", sizeWords(sums.sizeBytes)]]}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="素材" placeholder="名称" />
          <Choice of={list.field("kind")} label="类型" set={materialKind} />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={
        <>
          <Segments label="查看方式" set={view} value={looks} onChange={choose} small />
          {adding}
        </>
      }
      batch={(selection) => <BatchActs selection={selection} seen={seen} onAudit={audit.open} />}
      tiles={
        looks === "tiles" ? (ticks) => <MaterialTiles rows={list.rows} ticks={ticks} onOpen={(row) => list.open(row.id)} /> : undefined
      }
      columns={shownColumns(list.open, audits ? audit.open : undefined)}
      empty={{ text: "还没有素材，上传图片或视频后由上级审核", action: adding }}
    >
      {list.openId && (
        <DetailDrawer
          title="素材详情"
          of={one}
          onClose={list.close}
          footer={one.data && <MaterialActs row={one.data} onAudit={audit.open} onRename={rename.open} onGone={list.close} />}
        >
          {(row) => <MaterialDetails row={row} />}
        </DetailDrawer>
      )}
      {meant.length > 0 && <AuditDrawer key={audit.id} rows={meant} onClose={audit.close} />}
      {renamed && <RenameDrawer row={renamed} onClose={rename.close} />}
    </ListScreen>
  );
}
/** What is done with several at once: said of what was seen, at most a hundred. */
function BatchActs({
  selection,
  seen,
  onAudit,
}: {
  selection: Selection;
  seen: (id: string) => Material | undefined;
  onAudit: (ids: string) => void;
}): ReactNode {
  const remove = useRemove();
  return (
    <>
      <Act of={removeMaterials}>
        <Button
          small
          tone="danger"
          disabled={selection.all || selection.ids.length > 100}
          onClick={() =>
            void remove(
              selection.ids.flatMap((id) => seen(id) ?? []),
              selection.clear,
            )
          }
        >
          删除 {selection.count} 个
        </Button>
      </Act>
      <Act of={auditMaterials}>
        <Button
          small
          tone="primary"
          disabled={selection.all || selection.ids.length > 100 || !selection.ids.every((id) => mayAudit(seen(id)))}
          title="只能审核未审核和不确定的素材，一次最多 100 个"
          onClick={() => onAudit(selection.ids.join(","))}
        >
          审核 {selection.count} 个
        </Button>
      </Act>
    </>
  );
}
const mayAudit = (row: Material | undefined): boolean => row !== undefined && (row.audit_status === 0 || row.audit_status === 2);

/** Finds a row as it was last seen, also of a page that was left: what is said of one is said of the content that was seen. */
function useSeen(rows: readonly Material[], open: Material | undefined): (id: string) => Material | undefined {
  const [left] = useState(() => new Map<string, Material>());
  useEffect(() => {
    for (const row of rows) left.set(row.id, row);
  }, [rows, left]);
  return (id) => rows.find((row) => row.id === id) ?? (open?.id === id ? open : left.get(id));
}

function shownColumns(open: (id: string) => void, onAudit: ((id: string) => void) | undefined) {
  const c = columns<Material>();
  return [
    c.text("thumb", "预览", (row) => <Thumb row={row} />, { width: 96 }),
    c.link("name", "名称", (row) => open(row.id), { width: 200 }),
    c.code("kind", "类型", materialKind, { width: 72 }),
    c.text("size", "分辨率", (row) => <span className="num">{`${row.width} × ${row.height}`}</span>, { width: 112 }),
    c.text("duration", "时长", (row) => row.durationMs !== null && <span className="num">{lengthWords(row.durationMs)}</span>, {
      width: 72,
    }),
    c.text("kilobytes", "大小", (row) => <span className="num">{sizeWords(row.sizeBytes)}</span>, { width: 88 }),
    c.code("audit_status", "审核状态", auditStatus, { width: 96 }),
    c.text("reason", "原因", { width: 160 }),
    c.text("ads", "使用", (row) => (row.ads === 0 ? null : `${row.ads} 个广告`), { width: 88 }),
    c.text("ownerName", "归属", { width: 112 }),
    c.text("createdBy", "上传人", { hidden: true }),
    c.time("createdAt", "上传时间", { width: 168 }),
    c.text("auditedBy", "审核人", { hidden: true }),
    c.time("auditedAt", "审核时间", { hidden: true }),
    ...(onAudit
      ? [
          c.actions(
            (row) =>
              mayAudit(row) && (
                <Button tone="link" onClick={() => onAudit(row.id)}>
                  审核
                </Button>
              ),
            { width: 72 },
          ),
        ]
      : []),
  ];
}
