import { error, success } from "./notify.ts";

/**
 * Puts text on the clipboard and says what `done` says, or that it could not. Everything that copies goes through here.
 * @param more `html` for what takes tables; `failed` where something better than selecting by hand is left
 * @returns whether it is on the clipboard
 * @example await copyText(link.url, "已复制")
 */
export async function copyText(
  text: string,
  done?: string,
  { html, failed = "复制失败，请手动选择复制" }: { html?: string; failed?: string } = {},
): Promise<boolean> {
  const copied = (await byClipboard(text, html)) || bySelection(text, html);
  if (!copied) error(failed);
  else if (done !== undefined) success(done);
  return copied;
}

async function byClipboard(text: string, html?: string): Promise<boolean> {
  try {
    if (html === undefined) await navigator.clipboard.writeText(text);
    else {
      const blob = (type: string, of: string): Blob => new Blob([of], { type });
      await navigator.clipboard.write([
        new ClipboardItem({ "text/plain": blob("text/plain", text), "text/html": blob("text/html", html) }),
      ]);
    }
    return true;
  } catch {
    return false;
  }
}
/** Without https a browser has no clipboard to write to, but it still copies what is selected. */
function bySelection(text: string, html?: string): boolean {
  let taken = false;
  const take = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
    taken = event.clipboardData !== null;
  };
  const mark = document.createElement("span");
  mark.textContent = "\u00a0";
  mark.className = "sr-only";
  // Beside what was pressed: everything under a drawer is inert, and nothing there can be selected.
  (document.activeElement?.parentElement ?? document.body).append(mark);
  const selection = document.getSelection();
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  selection?.selectAllChildren(mark);
  document.addEventListener("copy", take);
  try {
    return document.execCommand("copy") && taken;
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", take);
    mark.remove();
    selection?.removeAllRanges();
    if (before) selection?.addRange(before);
  }
}
