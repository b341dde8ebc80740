import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { assignmentStatus, attributionKind, cancelAssignment, listAssignments } from "../../contract/index.ts";

type Item = OutputOf<typeof listAssignments>["items"][number];
const kind = attributionKind;

const toText = (item: Item): string =>
  item.to.map(({ kind: what, name, taken }) => `${kind.label(what)} → ${taken ? "取消归属" : (name ?? "其他人")}`).join("，");
const whichText = ({ merchantNames, merchantCount }: Item): string =>
  merchantNames.join("、") + (merchantCount > merchantNames.length ? ` 等 ${merchantCount} 家` : "");

/** 预约移交 of a merchant, of a salesman's merchants or of all in sight: what waits for its day, and what could not be done on it. */
export function Assignments({ of, always = false }: { of: InputOf<typeof listAssignments>; always?: boolean }): ReactNode {
  const found = useDetail(listAssignments, of).data?.items ?? [];
  const client = useQueryClient();
  if (found.length === 0) return always ? <p className="note">没有预约的移交。</p> : null;
  const cancel = async (item: Item): Promise<void> => {
    const text = `取消 ${item.effectiveFrom} 起的移交（${whichText(item)}）？这 ${item.merchantCount} 家商户的归属不再变更。`;
    if (!(await confirm(text, { ok: "取消移交", cancel: "保留", danger: true }))) return;
    try {
      const { count } = await call(cancelAssignment, { id: item.id });
      success(`已取消 ${count} 家商户的移交`);
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    }
    void client.invalidateQueries({ queryKey: [listAssignments.path] });
  };
  const c = columns<Item>();
  return (
    <Group title="预约移交">
      <DataTable
        label="预约移交"
        rows={found}
        columns={[
          c.text("effectiveFrom", "生效日期", (row) => <span className="num">{row.effectiveFrom}</span>, { width: 108 }),
          c.code("status", "状态", assignmentStatus, { width: 92 }),
          c.text("merchantNames", "商户", whichText, { width: 170 }),
          c.text("to", "移交给", toText, { width: 170 }),
          c.text("setBy", "设置人", (row) => row.why ?? row.setBy ?? "上级", { width: 110 }),
          c.actions(
            (row) =>
              row.cancellable && (
                <Act of={cancelAssignment}>
                  <Button tone="link" onClick={() => void cancel(row)}>
                    取消移交
                  </Button>
                </Act>
              ),
            { width: 92 },
          ),
        ]}
      />
    </Group>
  );
}
