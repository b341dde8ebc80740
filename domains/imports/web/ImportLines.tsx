import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { checkLines, getImport, type Import, importRowStatus, listImportRows } from "../contract.ts";
import type { About } from "./ChooseSheet.tsx";
import { whole } from "./words.ts";

type Line = RowOf<typeof listImportRows>;
const TABS = [
  [0, "bad"],
  [1, "ready"],
  [2, "made"],
  [3, "there"],
] as const;

/** The lines by what became of them; those with something wrong can be repaired where they stand. */
export function ImportLines({ data, about }: { data: Import; about: About }): ReactNode {
  const { counts } = data;
  const [chosen, choose] = useState<0 | 1 | 2 | 3>();
  const status = chosen ?? TABS.find(([, key]) => counts[key] > 0)?.[0] ?? 0;
  const found = useInfiniteQuery({
    queryKey: [listImportRows.path, data.id, status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(listImportRows, { importId: data.id, status, pageSize: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const lines = found.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <div className="status-tabs" role="group" aria-label="按结果查看">
        {TABS.map(([code, key]) => (
          <button key={code} type="button" aria-pressed={status === code} onClick={() => choose(code)}>
            {importRowStatus.label(code)}
            <span className="num tab-count">{whole(counts[key])}</span>
          </button>
        ))}
      </div>
      {found.error && <Failure error={found.error as never} retry={() => void found.refetch()} />}
      {!lines && !found.error && <Skeleton rows={4} />}
      {lines?.length === 0 && <p className="note">没有{importRowStatus.label(status)}的行。</p>}
      <ul className="import-lines">
        {lines?.map((line) => (
          <li key={line.line}>
            {line.status === 0 && data.status !== 1 ? (
              <BadLine key={JSON.stringify(line.errors)} importId={data.id} line={line} about={about} />
            ) : (
              <p className="import-line">
                <span className="num note">第 {line.line} 行</span>
                {line.title || "（无名称）"}
                <StatusTag of={importRowStatus} code={line.status} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          显示更多
        </Button>
      )}
    </>
  );
}

/** One line with what is wrong in it: the cells at fault stand in fields, Enter checks them again. */
function BadLine({ importId, line, about }: { importId: string; line: Line; about: About }): ReactNode {
  const client = useQueryClient();
  const [cells, setCells] = useState(line.cells);
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await call(checkLines, { id: importId, lines: [{ line: line.line, cells: JSON.stringify(cells) }] });
      void client.invalidateQueries({ queryKey: [getImport.path, importId] });
      await client.invalidateQueries({ queryKey: [listImportRows.path, importId] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
    }
  };
  const name = `第 ${line.line} 行`;
  return (
    <form className="import-bad" aria-label={`${name} ${line.title}`} onSubmit={(event) => void save(event)}>
      <p className="import-line">
        <span className="num note">{name}</span>
        {line.title || "（无名称）"}
      </p>
      {Object.entries(line.errors).map(([key, why]) => {
        const label = about.columns.find((column) => column.key === key)?.label ?? key;
        return (
          <label key={key} className="import-cell">
            <span>{label}</span>
            <input
              className="input"
              maxLength={500}
              aria-invalid
              aria-label={`${name} ${label}`}
              value={cells[key] ?? ""}
              onChange={(event) => setCells({ ...cells, [key]: event.target.value })}
            />
            <span className="field-error">{why}</span>
          </label>
        );
      })}
      <Button small type="submit" busy={busy}>
        保存并检查
      </Button>
    </form>
  );
}
