/** A message at the top of the page. It goes away by itself; errors stay longer and are announced at once. */
export interface Toast {
  readonly id: number;
  readonly tone: "success" | "error" | "info" | "warning";
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}
interface Question {
  readonly title: string;
  readonly text: string;
  readonly ok: string;
  readonly cancel: string;
  readonly danger: boolean;
  answer(yes: boolean): void;
}
interface Shown {
  readonly toasts: readonly Toast[];
  readonly question?: Question;
}

let shown: Shown = { toasts: [] };
let nextId = 1;
const listeners = new Set<() => void>();
function show(next: Shown): void {
  shown = next;
  for (const listener of listeners) listener();
}
/** For `Notices.tsx`, which draws what stands here. */
export const notices = {
  read: (): Shown => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function toast(tone: Toast["tone"], text: string, stay_ms: number, action?: Toast["action"]): void {
  // The same words twice at once say nothing new, unless they take back something else.
  const same = shown.toasts.find((one) => one.text === text && one.tone === tone);
  if (same && !action) return;
  const id = nextId++;
  const others = shown.toasts.filter((one) => one !== same);
  show({ ...shown, toasts: [...others.slice(-3), { id, tone, text, ...(action && { action }) }] });
  setTimeout(() => closeToast(id), stay_ms);
}
/** Takes a message away before its time. */
export function closeToast(id: number): void {
  show({ ...shown, toasts: shown.toasts.filter((one) => one.id !== id) });
}

/** Says that something worked; with an act that may follow it stays for 8 seconds. @example success("已保存") */
export const success = (text: string, action?: Toast["action"]): void => toast("success", text, action ? 8000 : 3000, action);
/** Says that something failed, for 3000 ms unless told otherwise (spec.md section 8). */
export const error = (text: string, stay_ms = 3000): void => toast("error", text, stay_ms);
/** Warns, for 5 seconds. */
export const warning = (text: string): void => toast("warning", text, 5000);
/** Says that something worked and offers to take it back for 8 seconds; `undo` is the inverse call, where there is one. */
export const undoable = (text: string, undo: (() => void) | undefined): void => success(text, undo && { label: "撤销", run: undo });

/**
 * Asks before something that cannot be taken back: titled 提示, with 确定 and 取消 (spec.md section 8).
 * The text names the object, the amount and who is affected.
 * @param options `ok` repeats the act on the button; `danger` only where money leaves or nothing brings it back
 * @returns whether the person agreed
 * @example if (await confirm("确认停用门店「虹桥天地店」？停用后不能收款。", { ok: "停用", danger: true })) …
 */
export function confirm(text: string, options: { title?: string; ok?: string; cancel?: string; danger?: boolean } = {}): Promise<boolean> {
  shown.question?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      show({ toasts: shown.toasts });
      resolve(yes);
    };
    const { title = "提示", ok = "确定", cancel = "取消", danger = false } = options;
    show({ ...shown, question: { title, text, ok, cancel, danger, answer } });
  });
}
