import { expect, test } from "vitest";
import { antdCss, beyond, differences } from "./vite-theme.ts";

test("the dark theme is only what differs from the light one, and not on paper", () => {
  expect(differences(".zf{--a:1;--b:2}.x{color:red}.zf.ant-select{--c:3}", ".zf{--a:1;--b:9}.x{color:red}.zf.ant-select{--c:3}")).toBe(
    "@media screen{html[data-theme=dark] .zf{--b:9}}\n",
  );
});
test("what comes with the calendars is what nothing else has brought", () => {
  expect(beyond(".a{b:c}@media x{.d{e:f}}", ".a{b:c}.g{h:i}@media x{.d{e:f}}@media x{.d{e:g}}")).toBe(".g{h:i}\n@media x{.d{e:g}}");
  const both = beyond(antdCss(["Select"]), antdCss(["Select", "DatePicker"]));
  expect(both).toContain(".ant-picker-dropdown");
  expect(both).toMatch(/html\[data-theme=dark\][^{]*ant-picker/);
  expect(both).not.toMatch(/\.ant-select-dropdown|\.zf\{/);
});
test("antd's blue follows our own property, so that a brand's colour reaches it; what informs keeps its own", () => {
  const css = antdCss(["Select"]);
  expect(css).toMatch(/--ant-color-primary:var\(--color-primary\)/);
  expect(css).toMatch(/--ant-control-item-bg-active:var\(--(?:color-primary-bg|control-item-bg-active)\)/);
  expect(css).not.toMatch(/--ant-(?!color-info)[\w-]+:#(?:2B57C4|8FAAF5)/i);
  expect(css).toMatch(/--ant-color-info:#2B57C4/i);
});
test("antd's styles carry our colours in both themes", () => {
  const css = antdCss(["Select"]);
  expect(css).toMatch(/\.zf\{[^}]*--ant-color-text:#1B1F27/i);
  expect(css).toMatch(/html\[data-theme=dark\] \.zf\{[^}]*--ant-color-text:#E8E6E1/i);
  expect(css).toContain(".ant-select");
});
