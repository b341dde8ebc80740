import { afterEach, expect, test } from "vitest";
import { rememberReturn } from "@zhangfang/web/api/session.ts";
import { notices } from "@zhangfang/web/notify.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { HalfWay } from "./HalfWay.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => {
  page.end();
  Reflect.deleteProperty(navigator, "clipboard");
  sessionStorage.clear();
});

test("where the browser gives no clipboard the press says what to do instead", async () => {
  rememberReturn("#/wxCRM/app?panel=authorised:state.code");
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  page = draw(<HalfWay />);
  const button = page.box.querySelector("button")!;
  button.click();
  await page.until(() => notices.read().toasts.length > 0);
  expect(notices.read().toasts).toMatchObject([{ tone: "error", text: "没有复制成功，请在这里登录" }]);
});
