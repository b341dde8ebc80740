import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import {
  auditMaterials,
  auditStatus,
  type getMaterialById,
  materialKind,
  removeMaterials,
  renameMaterial,
  startUpload,
} from "../../contract/index.ts";
import { refreshes } from "./MaterialForms.tsx";
import { type Material, RealFile } from "./MaterialView.tsx";
import { lengthWords, sizeWords } from "./words.ts";

type Detail = OutputOf<typeof getMaterialById>;
const TONES = { 0: "ended", 1: "good", 2: "warn", 3: "bad" } as const;

/** 素材详情: the file itself, what was said of it, and the ads that show it. */
export function MaterialDetails({ row }: { row: Detail }): ReactNode {
  return (
    <>
      <RealFile row={row} />
      <HeroLine label={row.name} value={`${row.width} × ${row.height}`} status={<StatusTag of={auditStatus} code={row.audit_status} />} />
      <Group
        title="文件"
        pairs={[
          ["类型", materialKind.label(row.kind)],
          ["大小", sizeWords(row.sizeBytes)],
          ["时长", row.durationMs === null ? null : lengthWords(row.durationMs)],
          ["归属", row.ownerName],
          ["上传人", row.createdBy],
          ["上传时间", <Time at={row.createdAt} />],
          ["SHA-256", <Copy text={row.sha256} />],
        ]}
      />
      <Group title="使用的广告">
        {row.usedBy.length === 0 ? (
          <p className="note">还没有广告使用</p>
        ) : (
          <ul className="used-by">
            {row.usedBy.map((ad) => (
              <li key={ad.ad_id}>
                <Link to={`/ad/list?id=${ad.ad_id}`}>{ad.name}</Link> <span className="note">{ad.status === 1 ? "启用" : "暂停"}</span>
              </li>
            ))}
          </ul>
        )}
      </Group>
      <Group title="审核记录">
        <Timeline
          items={row.audits.toReversed().map((one) => ({
            title: one.status === 0 ? "上传文件" : auditStatus.label(one.status),
            at: one.at,
            tone: TONES[one.status],
            note: `${one.byName}${one.reason ? `：${one.reason}` : ""}${one.sha256 === row.sha256 ? "" : "（之前的内容）"}`,
          }))}
        />
      </Group>
    </>
  );
}

/** Asks with the name and what follows, and has them removed; the server keeps what an enabled ad shows. */
export function useRemove(): (rows: readonly Pick<Material, "id" | "name">[], onGone: () => void) => Promise<void> {
  const client = useQueryClient();
  return async (rows, onGone) => {
    const what = rows.length === 1 ? `素材「${rows[0]?.name}」` : `${rows.length} 个素材`;
    if (!(await confirm(`删除${what}？文件会一起删除，已有的播放统计不变。`, { ok: "删除", danger: true }))) return;
    try {
      await call(removeMaterials, { material_ids: rows.map(({ id }) => id) });
    } catch {
      // The call has said it.
      return;
    }
    success(`已删除${what}`);
    for (const { path } of refreshes) void client.invalidateQueries({ queryKey: [path] });
    onGone();
  };
}

/** What can be done with a material; removing says its name and waits until no enabled ad shows it. */
export function MaterialActs({
  row,
  onAudit,
  onRename,
  onGone,
}: {
  row: Detail;
  onAudit: (id: string) => void;
  onRename: (id: string) => void;
  onGone: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const remove = useRemove();
  const { level } = useUser();
  return (
    <>
      <Act of={removeMaterials}>
        <Button
          tone="danger"
          disabled={row.enabledAds > 0}
          title={row.enabledAds > 0 ? "有启用的广告在用，先暂停广告" : undefined}
          onClick={() => void remove([row], onGone)}
        >
          删除
        </Button>
      </Act>
      <Act of={renameMaterial}>
        <Button onClick={() => onRename(row.id)}>改名</Button>
      </Act>
      {/* Another content is its owner's to give; the level above looks at it. */}
      {(level === "ADMIN") === (row.serviceProviderId === null) && (
        <Act of={startUpload}>
          <Button onClick={() => void navigate(`/ad/materials/add?replace=${row.id}`)}>更换文件</Button>
        </Act>
      )}
      {(row.audit_status === 0 || row.audit_status === 2) && (
        <Act of={auditMaterials}>
          <Button tone="primary" onClick={() => onAudit(row.id)}>
            审核
          </Button>
        </Act>
      )}
    </>
  );
}
