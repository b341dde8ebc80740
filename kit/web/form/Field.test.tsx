import { afterEach, expect, test } from "vitest";
import { draw } from "../testing-render.tsx";
import { Field } from "./Field.tsx";
import { TextInput } from "./inputs.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());
function saidOf(label: string, error: string): string | null | undefined {
  page = draw(
    <Field<string> of={{ name: "name", value: undefined, error, set: () => {} }} label={label}>
      {(f) => <TextInput {...f} />}
    </Field>,
  );
  const input = page.box.querySelector("input")!;
  expect(input.getAttribute("aria-describedby")).toBe(page.box.querySelector("[role=alert]")!.id);
  return page.box.querySelector("[role=alert]")!.textContent;
}

test.each([
  ["门店名称", "请填写", "请填写门店名称"],
  ["所属行业", "请选择", "请选择所属行业"],
  // What stands in brackets is no part of the name.
  ["金额（元）", "请填写", "请填写金额"],
  // Who says more is left alone.
  ["退款原因", "请填写退款的原因", "请填写退款的原因"],
  ["手机号", "手机号应为 11 位", "手机号应为 11 位"],
])("what is missing in %s, said as %s, is called by its own label", (label, error, said) => {
  expect(saidOf(label, error)).toBe(said);
});
