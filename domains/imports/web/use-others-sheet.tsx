import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm } from "@zhangfang/web/notify.ts";
import { otherNumbers } from "./sheet/read-sheet.ts";
import { type getImportSource, getSheetColumns, saveSheetColumns } from "../contract.ts";

/** Whose sheet it is, where a source reads others' too, and how the last one was read. */
export interface OthersSheet {
  /** The choice above the file; nothing where only our own sheet is read. */
  readonly choice: ReactNode;
  /** Cells that every line has; undefined while it is not chosen whose sheet it is. */
  readonly fixed: Readonly<Record<string, string>> | undefined;
  readonly known: Readonly<Record<string, string>>;
  /** Keeps how this one is read. @returns false where somebody was asked about other numbers than the last time's, and wants to look again */
  save(columns: OutputOf<typeof getImportSource>["columns"], headings: Readonly<Record<string, string>>): Promise<boolean>;
}
export function useOthersSheet(source: string, { ownSheets }: OutputOf<typeof getImportSource>): OthersSheet {
  const client = useQueryClient();
  const [of, setOf] = useState<string>();
  const known = useQuery({
    queryKey: [getSheetColumns.path, source, of],
    queryFn: ({ signal }) => call(getSheetColumns, { source, of: of! }, { signal }),
    enabled: of !== undefined,
  });
  return {
    choice: ownSheets && (
      <label className="import-of">
        平台
        <Select
          aria-label="哪个平台的表"
          className="filter-control"
          showSearch
          placeholder="先选是哪个平台的表"
          options={ownSheets.of.map((label) => ({ value: label, label }))}
          value={of}
          onChange={setOf}
        />
      </label>
    ),
    fixed: of === undefined || !ownSheets || !known.data ? undefined : { [ownSheets.column]: of },
    known: known.data?.headings ?? {},
    async save(columns, headings) {
      const doubt = otherNumbers(columns, known.data?.headings ?? {}, headings);
      if (doubt && !(await confirm(doubt, { ok: "仍这样读", danger: true }))) return false;
      await call(saveSheetColumns, { source, of: of!, headings });
      client.setQueryData([getSheetColumns.path, source, of], { headings });
      return true;
    },
  };
}
