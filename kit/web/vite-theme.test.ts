import { expect, test } from "vitest";
import { antdCss, differences } from "./vite-theme.ts";

test("the dark theme is only what differs from the light one", () => {
  expect(differences(".zf{--a:1;--b:2}.x{color:red}.zf.ant-select{--c:3}", ".zf{--a:1;--b:9}.x{color:red}.zf.ant-select{--c:3}")).toBe(
    "html[data-theme=dark] .zf{--b:9}\n",
  );
});
test("antd's styles carry our colours in both themes", () => {
  const css = antdCss(["Select"]);
  expect(css).toMatch(/\.zf\{[^}]*--ant-color-primary:#2B57C4/i);
  expect(css).toMatch(/html\[data-theme=dark\] \.zf\{[^}]*--ant-color-primary:#8FAAF5/i);
  expect(css).toContain(".ant-select");
});
