import { expect, test } from "vitest";
import { antdCss, differences } from "./vite-theme.ts";

test("the dark theme is only what differs from the light one, and not on paper", () => {
  expect(differences(".zf{--a:1;--b:2}.x{color:red}.zf.ant-select{--c:3}", ".zf{--a:1;--b:9}.x{color:red}.zf.ant-select{--c:3}")).toBe(
    "@media screen{html[data-theme=dark] .zf{--b:9}}\n",
  );
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
