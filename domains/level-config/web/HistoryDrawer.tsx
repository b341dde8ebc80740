import { type ReactNode, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { type ConfigCalls, type ConfigKey, type ConfigValue, valueWords } from "../contract/index.ts";
import type { TreeRow } from "./ConfigTree.tsx";

type Row = RowOf<ConfigCalls["history"]>;

/** 修改历史 of one node, the newest first; a save can be taken back from here. */
export function HistoryDrawer({
  calls,
  keys,
  node,
  onUndo,
  onClose,
}: {
  calls: ConfigCalls;
  keys: readonly ConfigKey[];
  node: Pick<TreeRow, "item_type" | "item_id" | "item_name">;
  onUndo: (saveId: string) => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Drawer title={`修改历史 · ${node.item_name}`} width={880} onClose={onClose}>
      <Page calls={calls} keys={keys} node={node} cursor={undefined} onUndo={onUndo} />
    </Drawer>
  );
}

function Page({
  calls,
  keys,
  node,
  cursor,
  onUndo,
}: {
  calls: ConfigCalls;
  keys: readonly ConfigKey[];
  node: Pick<TreeRow, "item_type" | "item_id">;
  cursor: string | undefined;
  onUndo: (saveId: string) => void;
}): ReactNode {
  const found = useDetail(calls.history, { item_type: node.item_type, item_id: node.item_id, pageSize: 50, ...(cursor && { cursor }) });
  const [more, setMore] = useState(false);
  if (found.error) return <Failure error={found.error as ApiError} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton rows={6} />;
  if (found.data.items.length === 0) return <Empty text="还没有修改过" />;
  const say = (ckey: string, value: ConfigValue | null): string => {
    const key = keys.find((one) => one.ckey === ckey);
    return value === null ? "继承" : key ? valueWords(key, value) : String(value);
  };
  const c = columns<Row>();
  return (
    <>
      <DataTable<Row>
        label="修改历史"
        rows={found.data.items}
        columns={[
          c.time("changedAt", "时间"),
          c.text("changedBy", "修改人"),
          c.text("ckey", "设置项", (row) => keys.find((one) => one.ckey === row.ckey)?.name ?? row.ckey),
          c.text("from", "从", (row) => say(row.ckey, row.from)),
          c.text("to", "改为", (row) => say(row.ckey, row.to)),
          c.actions((row) =>
            row.undone ? (
              <span className="note">已撤销</span>
            ) : (
              <Button small tone="link" onClick={() => onUndo(row.saveId)}>
                撤销这次保存
              </Button>
            ),
          ),
        ]}
      />
      {found.data.next !== null &&
        (more ? (
          <Page calls={calls} keys={keys} node={node} cursor={found.data.next} onUndo={onUndo} />
        ) : (
          <Button small onClick={() => setMore(true)}>
            更早的
          </Button>
        ))}
    </>
  );
}
