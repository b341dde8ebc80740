import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { cancelUpload, getMaterials, listUploads, summariseMaterials } from "../../contract/index.ts";
import { faultOf, sendFile, type Sent } from "./send-file.ts";

/** A file on its way, as it is shown. */
export interface Item {
  readonly key: string;
  readonly file: File;
  readonly phase: "waiting" | "reading" | "sending" | "checking" | "paused" | "failed" | "refused" | "done";
  /** Bytes that arrived. */
  readonly done: number;
  readonly message?: string;
  readonly sent?: Sent;
  readonly uploadId?: string;
}
export interface Uploads {
  readonly items: readonly Item[];
  add(files: readonly File[]): void;
  pause(key: string): void;
  goOn(key: string): void;
  /** Ends it on the server too, and takes it off the page. */
  remove(key: string): void;
}
/** So many go at once; the others wait their turn. */
const AT_ONCE = 3;

/** Files on their way to become materials: several at once, each of them paused, gone on with or cancelled by itself. */
export function useUploads(replaces?: string): Uploads {
  const client = useQueryClient();
  const [items, setItems] = useState<readonly Item[]>([]);
  // What is true now, for those who come back from the server.
  const now = useRef<readonly Item[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  const set = (next: readonly Item[]): void => {
    now.current = next;
    setItems(next);
  };
  const change = (key: string, more: Partial<Item>): void =>
    set(now.current.map((item) => (item.key === key ? { ...item, ...more } : item)));

  const run = async (item: Item): Promise<void> => {
    const stop = new AbortController();
    stops.current.set(item.key, stop);
    try {
      const sent = await sendFile(item.file, { replaces, signal: stop.signal }, (news) => change(item.key, news));
      change(item.key, { phase: "done", sent, done: item.file.size });
      for (const one of [getMaterials, summariseMaterials, listUploads]) void client.invalidateQueries({ queryKey: [one.path] });
    } catch (reason) {
      if (stop.signal.aborted) return;
      const refused =
        reason instanceof ApiError && reason.status >= 400 && reason.status < 500 && reason.status !== 429 && reason.kind !== "expired";
      change(item.key, { phase: refused ? "refused" : "failed", message: reason instanceof Error ? reason.message : "上传失败" });
      void client.invalidateQueries({ queryKey: [listUploads.path] });
    } finally {
      stops.current.delete(item.key);
      next();
    }
  };
  const next = (): void => {
    const free = AT_ONCE - stops.current.size;
    for (const item of now.current.filter(({ phase }) => phase === "waiting").slice(0, Math.max(0, free))) {
      change(item.key, { phase: "reading" });
      void run(item);
    }
  };
  return {
    items,
    add(files) {
      const fresh = files.map((file): Item => {
        const message = faultOf(file);
        return { key: crypto.randomUUID(), file, done: 0, ...(message ? { phase: "refused", message } : { phase: "waiting" }) };
      });
      set([...now.current, ...fresh]);
      next();
    },
    pause(key) {
      change(key, { phase: "paused" });
      stops.current.get(key)?.abort();
    },
    goOn(key) {
      change(key, { phase: "waiting" });
      next();
    },
    remove(key) {
      const item = now.current.find((one) => one.key === key);
      set(now.current.filter((one) => one.key !== key));
      stops.current.get(key)?.abort();
      if (item?.uploadId && item.phase !== "done" && item.phase !== "refused")
        void call(cancelUpload, { id: item.uploadId }, { quiet: true })
          .catch(() => undefined)
          .then(() => client.invalidateQueries({ queryKey: [listUploads.path] }));
    },
  };
}
