import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { auditStatus, getMaterials, materialKind } from "../../contract/index.ts";
import { Thumb } from "./Thumbs.tsx";

/** A material of the ad; what is shown of it travels along and is not sent. */
export interface MaterialGiven {
  readonly material_id: string;
  readonly seconds?: number | null | undefined;
  readonly shown?: {
    readonly name: string;
    readonly kind: 1 | 2;
    readonly status: number;
    readonly thumb_url: string | null;
    readonly duration_ms: number | null;
  };
}
type Row = RowOf<typeof getMaterials>;
const MOST = 20;

/** 素材: those chosen, in their order, and the way to more. */
export function Materials({
  id,
  value,
  onChange,
}: {
  id: string;
  value: readonly MaterialGiven[];
  onChange: (materials: MaterialGiven[] | undefined) => void;
}): ReactNode {
  const [picking, setPicking] = useState(false);
  const change = (at: number, next: Partial<MaterialGiven>): void =>
    onChange(value.map((one, place) => (place === at ? { ...one, ...next } : one)));
  const move = (at: number, to: number): void => {
    const next = [...value];
    next.splice(to, 0, ...next.splice(at, 1));
    onChange(next);
  };
  const turn = (row: Row): void => {
    const { material_id, name, kind, audit_status, url, thumbUrl, durationMs } = row;
    const without = value.filter((one) => one.material_id !== material_id);
    const shown = { name, kind, status: audit_status as number, thumb_url: thumbUrl ?? (kind === 1 ? url : null), duration_ms: durationMs };
    onChange(without.length < value.length ? without : [...value, { material_id, seconds: null, shown }]);
  };
  return (
    <div id={id} role="group" aria-label="素材">
      <ul className="ad-items">
        {value.map((one, at) => (
          <Item
            key={one.material_id}
            one={one}
            place={at + 1}
            last={at === value.length - 1}
            onSeconds={(seconds) => change(at, { seconds })}
            onMove={(by) => move(at, at + by)}
            onRemove={() => onChange(value.filter((_other, place) => place !== at))}
          />
        ))}
      </ul>
      <Button className="ad-items-add" disabled={value.length >= MOST} onClick={() => setPicking(true)}>
        {value.length === 0 ? "选择素材" : "添加素材"}
      </Button>
      {picking && (
        <PickDrawer chosen={new Set(value.map(({ material_id }) => material_id))} onTurn={turn} onClose={() => setPicking(false)} />
      )}
    </div>
  );
}

function Item({
  one: { shown, seconds },
  place,
  last,
  onSeconds,
  onMove,
  onRemove,
}: {
  one: MaterialGiven;
  place: number;
  last: boolean;
  onSeconds: (seconds: number | null) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}): ReactNode {
  const name = shown?.name ?? "素材";
  return (
    <li className="ad-item">
      <span className="num note">{place}</span>
      <Thumb of={shown} />
      <span className="ad-item-name">
        {name} {shown && shown.status !== 1 && <StatusTag of={auditStatus} code={shown.status as 0} />}
        {shown?.kind === 2 && <span className="note"> 视频 {Math.round((shown.duration_ms ?? 0) / 1_000)} 秒</span>}
      </span>
      {shown?.kind === 2 ? (
        <span />
      ) : (
        <NumberInput
          aria-label={`${name} 停留秒数`}
          placeholder="默认"
          unit="秒"
          value={seconds ?? undefined}
          onChange={(typed) => onSeconds(typed ?? null)}
        />
      )}
      <span className="ad-item-acts">
        <Button small disabled={place === 1} aria-label={`上移 ${name}`} onClick={() => onMove(-1)}>
          ↑
        </Button>
        <Button small disabled={last} aria-label={`下移 ${name}`} onClick={() => onMove(1)}>
          ↓
        </Button>
        <Button small aria-label={`移除 ${name}`} onClick={onRemove}>
          移除
        </Button>
      </span>
    </li>
  );
}

/** 选择素材: one's own, searched by name, the newest first. */
function PickDrawer({
  chosen,
  onTurn,
  onClose,
}: {
  chosen: ReadonlySet<string>;
  onTurn: (row: Row) => void;
  onClose: () => void;
}): ReactNode {
  const [typed, setTyped] = useState("");
  const [cursor, setCursor] = useState<string>();
  const keyword = useSettled(typed.trim(), 300);
  const found = useQuery({
    queryKey: [getMaterials.path, "pick", keyword, cursor],
    queryFn: ({ signal }) =>
      call(getMaterials, { ...(keyword && { keyword }), ...(cursor !== undefined && { cursor }), pageSize: 30 }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Drawer
      title="选择素材"
      width={880}
      focusField
      onClose={onClose}
      footer={
        <>
          <span className="hint">已选 {chosen.size} 个</span>
          {cursor !== undefined && <Button onClick={() => setCursor(undefined)}>第一页</Button>}
          {found.data?.next && <Button onClick={() => setCursor(found.data?.next ?? undefined)}>下一页</Button>}
          <Button tone="primary" onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      <input
        className="input"
        type="search"
        aria-label="查找素材"
        placeholder="名称"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setCursor(undefined);
        }}
      />
      <PickRows found={found} chosen={chosen} onTurn={onTurn} searched={keyword !== ""} />
    </Drawer>
  );
}
function PickRows({
  found,
  chosen,
  onTurn,
  searched,
}: {
  found: { data: { items: readonly Row[] } | undefined; error: unknown; refetch: () => unknown };
  chosen: ReadonlySet<string>;
  onTurn: (row: Row) => void;
  searched: boolean;
}): ReactNode {
  if (found.error) return <Failure error={found.error as ApiError} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton rows={6} />;
  if (found.data.items.length === 0)
    return (
      <Empty text={searched ? "没有找到" : "还没有素材"} action={searched ? undefined : <Link to="/ad/materials/add">上传素材</Link>} />
    );
  return (
    <div className="ad-pick-grid">
      {found.data.items.map((row) => (
        <button key={row.id} type="button" className="ad-pick-card" aria-pressed={chosen.has(row.id)} onClick={() => onTurn(row)}>
          <Thumb of={{ name: row.name, kind: row.kind, thumb_url: row.thumbUrl ?? (row.kind === 1 ? row.url : null) }} />
          <span className="ad-pick-card-name">{row.name}</span>
          <span className="note">
            {materialKind.label(row.kind)} <StatusTag of={auditStatus} code={row.audit_status} />
          </span>
        </button>
      ))}
    </div>
  );
}
