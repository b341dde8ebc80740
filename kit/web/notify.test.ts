import { expect, test } from "vitest";
import { closeToast, notices, undoable } from "./notify.ts";

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
