import { afterEach, expect, test, vi } from "vitest";
import { closeToast, confirm, error, notices, success, undoable } from "./notify.ts";

afterEach(() => vi.useRealTimers());

test("the same words twice take back what was done last", () => {
  const undone: string[] = [];
  undoable("已隐藏", () => void undone.push("first"));
  undoable("已隐藏", () => void undone.push("second"));
  const { toasts } = notices.read();
  expect(toasts).toHaveLength(1);
  toasts[0]!.action!.run();
  expect(undone).toEqual(["second"]);
  closeToast(toasts[0]!.id);
});
test("an error stays for 3000 ms unless told otherwise, success says what worked (spec 8)", () => {
  vi.useFakeTimers();
  const shown = () => notices.read().toasts.map(({ tone, text }) => `${tone} ${text}`);
  success("已保存");
  error("没有成功");
  error("请求错误: 忙", 5000);
  expect(shown()).toEqual(["success 已保存", "error 没有成功", "error 请求错误: 忙"]);
  vi.advanceTimersByTime(2999);
  expect(shown()).toHaveLength(3);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual(["error 请求错误: 忙"]);
  vi.advanceTimersByTime(2000);
  expect(shown()).toEqual([]);
});
test("a question is titled 提示 and answered by 确定 or 取消 where nobody says otherwise (spec 8)", async () => {
  for (const yes of [true, false]) {
    const answered = confirm("确认删除？");
    const { question } = notices.read();
    expect(question).toMatchObject({ title: "提示", text: "确认删除？", ok: "确定", cancel: "取消" });
    question!.answer(yes);
    expect(await answered).toBe(yes);
  }
  expect(notices.read().question).toBeUndefined();
});
