import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Radios } from "@zhangfang/web/form/inputs.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { usePreference } from "@zhangfang/web/look/preferences.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { ExportRequest } from "@zhangfang/web/slots.ts";
import { EXPORT_KEPT_DAYS, EXPORT_ROW_CAP, type ExportFormat, exportFormat, listExports, startExport } from "../contract.ts";
import "./exports.css";

const which = (count: number) => labelled({ seen: `列表中显示的 ${count} 列，按当前顺序`, all: "全部列" });
type Which = "seen" | "all";

/** Asks how a list is to be written, says how many rows that is, and starts the job; the choice is remembered with the account. */
export function ExportDialog({ request, onClose }: { request: ExportRequest; onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [format = "xlsx", setFormat] = usePreference<ExportFormat>("export-format");
  const [columns = "seen", setColumns] = usePreference<Which>("export-columns");
  const { busy, start } = useStart(request, onClose);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start(format, columns === "seen" ? request.columns : []);
  };
  const count = request.total?.count;
  const tooMany = count !== undefined && count > EXPORT_ROW_CAP;
  return (
    <dialog ref={dialog} className="ask export-dialog" aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={titleId}>导出{request.title}</h2>
        <fieldset>
          <legend>格式</legend>
          <Radios id={`${titleId}f`} value={format} onChange={setFormat} set={exportFormat} />
        </fieldset>
        <fieldset>
          <legend>列</legend>
          <Radios
            id={`${titleId}c`}
            value={columns}
            onChange={(chosen) => setColumns(chosen as Which)}
            set={which(request.columns.length)}
          />
        </fieldset>
        <p className={tooMany ? "export-rows export-too-many" : "export-rows"}>{rowsWords(request)}</p>
        <div className="ask-acts">
          <Button onClick={() => dialog.current?.close()}>取消</Button>
          <Button tone="primary" type="submit" busy={busy} disabled={count === 0 || tooMany}>
            开始导出
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** How many rows there will be, and what ends with too many. */
function rowsWords({ total, unit }: ExportRequest): string {
  const cap = EXPORT_ROW_CAP.toLocaleString("en-US");
  if (total?.count === 0) return "当前筛选没有数据可导出。";
  const count = total?.count.toLocaleString("en-US");
  if (total && total.count > EXPORT_ROW_CAP) return `当前筛选共 ${count} ${unit}，超过一个文件的上限 ${cap} 行，请缩小筛选范围。`;
  const rows =
    total === undefined ? "导出当前筛选的全部数据" : total.more ? `当前筛选超过 ${count} ${unit}` : `当前筛选共 ${count} ${unit}`;
  return `${rows}。一个文件最多 ${cap} 行，保留 ${EXPORT_KEPT_DAYS} 天。`;
}

/** Starts the job once for one choice, however often it is pressed or its answer lost. */
function useStart(request: ExportRequest, onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ choice: "", requestId: "" });
  const start = async (format: ExportFormat, columns: readonly string[]): Promise<void> => {
    const choice = JSON.stringify([format, columns]);
    if (attempt.current.choice !== choice) attempt.current = { choice, requestId: crypto.randomUUID() };
    setBusy(true);
    try {
      const { requestId } = attempt.current;
      const { waitingBefore } = await call(startExport, {
        requestId,
        source: request.source,
        filter: { ...request.filters },
        columns: [...columns],
        format,
      });
      success(waitingBefore > 0 ? `已排队导出，前面还有 ${waitingBefore} 个` : "已开始导出，完成后可下载", {
        label: "查看导出记录",
        run: () => void navigate("/dataCentre/exports"),
      });
      onClose();
    } catch (failure) {
      // A refused call has already said why; the dialog stays for another try.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: [listExports.path] });
    }
  };
  return { busy, start };
}
