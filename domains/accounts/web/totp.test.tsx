import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw, type } from "@zhangfang/web/testing-render.tsx";
import { Totp } from "./Totp.tsx";

const CODES = Array.from({ length: 10 }, (_none, at) => `AAAA-BBBB-CCCC-DDD${"ABCDEFGHIJ"[at]}`);
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  sessionStorage.clear();
  http = await listen(({ path }) => ({
    body: path.endsWith("/start") ? { secret: "ABCDEFGHIJKL", uri: "otpauth://totp/x?secret=ABCDEFGHIJKL" } : { recoveryCodes: CODES },
  }));
  startSession("token");
  page = draw(<Totp security={{ totp: false, recoveryCodesLeft: 0 }} />);
});
afterEach(async () => {
  page.end();
  await http.close();
});
const press = (name: string) => [...page.box.querySelectorAll("button")].find((button) => button.textContent === name)!.click();
const field = () => page.box.querySelector<HTMLInputElement>("input")!;

test("password, secret, first code, recovery codes; what was typed and shown stays nowhere", async () => {
  press("启用动态验证码");
  await vi.waitFor(() => expect(field().type).toBe("password"));
  type(field(), "Demo#2026");
  press("下一步");
  await vi.waitFor(() => expect(page.box.querySelector("svg[role=img]")?.getAttribute("aria-label")).toContain("二维码"));
  expect(page.box.textContent).toContain("ABCD EFGH IJKL");
  type(field(), "12345");
  press("启用");
  await vi.waitFor(() => expect(page.box.querySelector(".field-error")?.textContent).toBe("动态验证码为 6 位数字"));
  expect(http.seen).toHaveLength(1);
  type(field(), "123456");
  press("启用");
  await vi.waitFor(() => expect(page.box.querySelectorAll(".security-codes li")).toHaveLength(10));
  await vi.waitFor(() => expect(document.activeElement).toBe(page.box.querySelector(".security-codes")));
  press("我已保存");
  await vi.waitFor(() => expect(page.box.textContent).not.toContain("AAAA"));
  const kept = JSON.stringify([sessionStorage, localStorage].map((store) => Object.entries(store)));
  for (const secret of ["Demo#2026", "123456", "ABCDEFGHIJKL", "AAAA"]) expect(kept).not.toContain(secret);
});
