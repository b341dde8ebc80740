import { useRef, useState } from "react";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { base64Of } from "@zhangfang/web/form/files/base64.ts";
import type { Sent } from "@zhangfang/web/form/Sending.tsx";
import { addBillPiece, cancelBill, finishBillUpload, PIECE_BYTES, startBillUpload } from "../../contract/index.ts";

type Which = Omit<InputOf<typeof startBillUpload>, "requestId" | "fileName" | "sizeBytes">;
interface Work {
  readonly which: Which;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly requestId: string;
  readonly stop: AbortController;
  id?: string;
  done: number;
}
export interface BillUpload extends Sent {
  start(which: Which, file: File): Promise<void>;
}

/** Sends a bill piece by piece, packed where it was not. A piece that is sent twice counts once, so that a broken line loses nothing. */
export function useBillUpload(onDone: () => void): BillUpload {
  const [progress, setProgress] = useState<BillUpload["progress"]>();
  const [failure, setFailure] = useState<string>();
  const work = useRef<Work>(undefined);
  const send = async (): Promise<void> => {
    const now = work.current;
    if (!now) return;
    setFailure(undefined);
    setProgress({ done: now.done, of: now.bytes.length });
    try {
      const options = { signal: now.stop.signal, quiet: true };
      now.id ??= (
        await call(
          startBillUpload,
          { requestId: now.requestId, ...now.which, fileName: now.name.slice(-120), sizeBytes: now.bytes.length },
          options,
        )
      ).id;
      while (now.done < now.bytes.length) {
        const piece = now.bytes.subarray(now.done, now.done + PIECE_BYTES);
        await call(addBillPiece, { id: now.id, place: now.done / PIECE_BYTES, base64: base64Of(piece) }, options);
        now.done += piece.length;
        setProgress({ done: now.done, of: now.bytes.length });
      }
      await call(finishBillUpload, { id: now.id }, options);
      work.current = undefined;
      setProgress(undefined);
      onDone();
    } catch (reason) {
      if (now.stop.signal.aborted) return;
      if (!(reason instanceof ApiError)) throw reason;
      setFailure(reason.message);
    }
  };
  return {
    progress,
    failure,
    async start(which, file) {
      const bytes = await packed(file);
      work.current = { which, name: file.name, bytes, requestId: crypto.randomUUID(), done: 0, stop: new AbortController() };
      await send();
    },
    goOn: () => void send(),
    cancel() {
      const now = work.current;
      now?.stop.abort();
      if (now?.id) void call(cancelBill, { id: now.id }, { quiet: true }).catch(() => undefined);
      work.current = undefined;
      setProgress(undefined);
      setFailure(undefined);
    },
  };
}

/** A bill is text that packs to a tenth; what is packed already goes as it is. */
async function packed(file: File): Promise<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const already = (head[0] === 0x1f && head[1] === 0x8b) || (head[0] === 0x50 && head[1] === 0x4b);
  const stream = already ? file.stream() : file.stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
