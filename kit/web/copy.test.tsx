import { afterEach, expect, test } from "vitest";
import { copyText } from "./copy.ts";
import { closeToast, notices } from "./notify.ts";

/** What the browser was given, by kind. */
let given: Record<string, string> = {};
const told = () => notices.read().toasts.map(({ tone, text }) => [tone, text]);
/** A browser without https: no clipboard, but it copies what is selected, where it is let. */
function without(copies: boolean): void {
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  document.execCommand = (command) => {
    if (command !== "copy" || !copies || document.getSelection()!.isCollapsed) return false;
    const event = new Event("copy", { bubbles: true, cancelable: true });
    const clipboardData = { setData: (kind: string, text: string) => void (given[kind] = text) };
    document.dispatchEvent(Object.assign(event, { clipboardData }));
    return event.defaultPrevented;
  };
}
afterEach(() => {
  given = {};
  for (const { id } of notices.read().toasts) closeToast(id);
  Reflect.deleteProperty(navigator, "clipboard");
  Reflect.deleteProperty(document, "execCommand");
});

test("without a clipboard it is copied by selection, with its table, and says so; nothing is left on the page", async () => {
  without(true);
  document.body.innerHTML = "<p>选中的字</p><button>复制</button>";
  const button = document.querySelector("button")!;
  button.focus();
  document.getSelection()!.selectAllChildren(document.querySelector("p")!);
  expect(await copyText("1\t2", "已复制 1 行", { html: "<table></table>" })).toBe(true);
  expect(given).toEqual({ "text/plain": "1\t2", "text/html": "<table></table>" });
  expect(told()).toEqual([["success", "已复制 1 行"]]);
  expect(document.body.innerHTML).toBe("<p>选中的字</p><button>复制</button>");
  expect(document.getSelection()!.toString()).toBe("选中的字");
  expect(document.activeElement).toBe(button);
});
test.each([
  ["refuses", () => without(false)],
  ["has no such way", () => without(true)],
])("where the browser %s that is said, with what is left to do", async (why, prepare) => {
  prepare();
  if (why !== "refuses") Reflect.deleteProperty(document, "execCommand");
  expect(await copyText("一次性密码", "已复制")).toBe(false);
  expect(await copyText("链接", "已复制", { failed: "复制失败，请让商户扫旁边的码" })).toBe(false);
  expect(told()).toEqual([
    ["error", "复制失败，请手动选择复制"],
    ["error", "复制失败，请让商户扫旁边的码"],
  ]);
});
test("a clipboard that is there is used, and one that refuses is helped by selection", async () => {
  without(true);
  const kept: string[] = [];
  const writeText = (text: string) =>
    kept.length === 0 ? Promise.resolve(void kept.push(text)) : Promise.reject(new Error("not allowed"));
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  await copyText("甲");
  expect([kept, given]).toEqual([["甲"], {}]);
  await copyText("乙");
  expect(given).toEqual({ "text/plain": "乙" });
  expect(told()).toEqual([]);
});
