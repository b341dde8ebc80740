import { useRef, useState } from "react";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import type { Sent } from "@zhangfang/web/form/Sending.tsx";
import { checkLines, LINES_AT_ONCE, startImport } from "../contract.ts";
import type { Sheet } from "./sheet/read-sheet.ts";

export interface Upload extends Sent {
  start(fileName: string, sheet: Sheet): void;
}

/** Sends a sheet piece by piece and has it checked. A piece that is sent twice counts once, so that a broken line loses nothing. */
export function useUpload(source: string, onChecked: (id: string) => void): Upload {
  const [progress, setProgress] = useState<Upload["progress"]>();
  const [failure, setFailure] = useState<string>();
  const work = useRef<{ fileName: string; sheet: Sheet; requestId: string; id?: string; done: number; stop: AbortController }>(undefined);
  const send = async (): Promise<void> => {
    const now = work.current;
    if (!now) return;
    const { lines } = now.sheet;
    setFailure(undefined);
    setProgress({ done: now.done, of: lines.length });
    try {
      const { signal } = now.stop;
      now.id ??= (await call(startImport, { requestId: now.requestId, source, fileName: now.fileName }, { signal, quiet: true })).id;
      while (now.done < lines.length) {
        const piece = lines.slice(now.done, now.done + LINES_AT_ONCE);
        await call(
          checkLines,
          { id: now.id, lines: piece.map(({ line, cells }) => ({ line, cells: JSON.stringify(cells) })) },
          { signal, quiet: true },
        );
        now.done += piece.length;
        setProgress({ done: now.done, of: lines.length });
      }
      onChecked(now.id);
    } catch (reason) {
      if (now.stop.signal.aborted) return;
      if (!(reason instanceof ApiError)) throw reason;
      setFailure(reason.message);
    }
  };
  return {
    progress,
    failure,
    start(fileName, sheet) {
      work.current = { fileName, sheet, requestId: crypto.randomUUID(), done: 0, stop: new AbortController() };
      void send();
    },
    goOn: () => void send(),
    cancel() {
      work.current?.stop.abort();
      work.current = undefined;
      setProgress(undefined);
      setFailure(undefined);
    },
  };
}
