import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import { confirm, success, undoable, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getAdById, getAds, listAdDevices, removeAd, summariseAds, updateAdInfo, updateAdPlayStatus } from "../../contract/index.ts";

type Row = RowOf<typeof getAds>;
type Status = 0 | 1;

/** Acts after which the list is read again, among them turning an ad on and off. */
function useActing() {
  const [busy, act] = useRun([getAds, getAdById, summariseAds]);
  const turn = (row: Pick<Row, "id" | "name">, status: Status): Promise<void> =>
    act(async () => {
      await call(updateAdPlayStatus, { ad_id: row.id, status });
      undoable(status === 1 ? `已启用「${row.name}」` : `已暂停「${row.name}」`, () => void turn(row, status === 1 ? 0 : 1));
    });
  return { busy, act, turn };
}

function Turn({ row, small = false }: { row: Row; small?: boolean }): ReactNode {
  const { busy, turn } = useActing();
  const next: Status = row.status === 1 ? 0 : 1;
  const why = next === 1 ? row.blocked : null;
  return (
    <Button
      tone={small ? "link" : "plain"}
      busy={busy}
      disabled={why !== null}
      title={why === null ? undefined : `不能启用：${why}`}
      onClick={() => void turn(row, next)}
    >
      {next === 1 ? "启用" : "暂停"}
    </Button>
  );
}

/** What can be done with an ad in its row. */
export const RowActs = ({ row }: { row: Row }): ReactNode => (
  <Act of={updateAdInfo}>
    <Turn row={row} small />
    <Link to={`/ad/list/new?id=${row.id}`}>修改</Link>
    <Link to={`/ad/list/new?copy=${row.id}`}>复制</Link>
  </Act>
);

/** The same under its details, and removing it. */
export function FootActs({ row, onGone }: { row: Row; onGone: () => void }): ReactNode {
  const { busy, act } = useActing();
  const remove = async (): Promise<void> => {
    const follows = row.status === 1 ? "设备立即停止播放，" : "";
    if (!(await confirm(`删除广告「${row.name}」？${follows}不能恢复；已有的播放记录保留。`, { ok: "删除广告", danger: true }))) return;
    await act(async () => {
      await call(removeAd, { ad_id: row.id });
      success(`已删除「${row.name}」`);
      onGone();
    });
  };
  return (
    <Act of={updateAdInfo}>
      <Button tone="danger" busy={busy} onClick={() => void remove()}>
        删除
      </Button>
      <Link className="btn btn-plain" to={`/ad/list/new?copy=${row.id}`}>
        复制
      </Link>
      <Act of={listAdDevices}>
        <Link className="btn btn-plain" to={`/ad/adDevices?ad_id=${row.id}`}>
          播放情况
        </Link>
      </Act>
      <Turn row={row} />
      <Link className="btn btn-primary" to={`/ad/list/new?id=${row.id}`}>
        修改
      </Link>
    </Act>
  );
}

/** So many ads are turned on or off at once. */
const AT_ONCE = 100;

/** 批量启用 and 批量暂停 of the ticked ads or the whole filter: those that may are changed, and of the others it is said why not. */
export function BatchActs({ selection, rows }: { selection: Selection; rows: readonly Row[] }): ReactNode {
  const { busy, act } = useActing();
  const turn = async (status: Status): Promise<void> => {
    const ids = await selectedIds(getAds, selection, { most: AT_ONCE, unit: "个广告" });
    if (!ids || ids.length === 0) return;
    const named = rows.filter(({ id }) => ids.includes(id)).slice(0, 3);
    const some = named.map(({ name }) => `「${name}」`).join("、");
    const which = ids.length > named.length ? `${some}等 ${ids.length} 个广告` : some;
    const [text, ok] =
      status === 1 ? [`启用${which}？设备按排期立即播放。`, "启用"] : [`暂停${which}？设备立即停止播放，可以再启用。`, "暂停"];
    if ((status === 0 || selection.all) && !(await confirm(text, { ok }))) return;
    await act(async () => {
      const { changed, refused } = await call(updateAdPlayStatus, { ad_ids: [...ids], status });
      const done = `${status === 1 ? "已启用" : "已暂停"} ${changed} 个广告`;
      if (refused.length > 0)
        warning(
          `${done}，${refused.length} 个没有启用。${refused
            .map(({ reason }) => reason)
            .slice(0, 3)
            .join("；")}`,
        );
      else success(done);
      selection.clear();
    });
  };
  return (
    <Act of={updateAdPlayStatus}>
      <Button small busy={busy} onClick={() => void turn(1)}>
        启用
      </Button>
      <Button small busy={busy} onClick={() => void turn(0)}>
        暂停
      </Button>
    </Act>
  );
}
