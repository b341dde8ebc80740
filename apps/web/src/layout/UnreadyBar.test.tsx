import { afterEach, expect, test } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { UnreadyBar } from "./UnreadyBar.tsx";

let end = async () => {};
afterEach(() => end());

test("what stands in the way of the service is said, and no longer when it is gone", async () => {
  const fine = { status: 200, body: { ok: true } as object };
  let told = fine;
  const http = await listen(() => told);
  const page = draw(<UnreadyBar every_ms={20} />);
  end = async () => {
    page.end();
    await http.close();
  };
  expect(page.box.textContent).toBe("");
  told = {
    status: 503,
    body: {
      ok: false,
      reasons: [
        { code: "disk", message: "磁盘已满，请清理磁盘" },
        { code: "keys", message: "密钥与数据不符" },
      ],
    },
  };
  await page.until(() => page.box.textContent === "服务暂时不能正常工作：磁盘已满，请清理磁盘；密钥与数据不符。");
  told = fine;
  await page.until(() => page.box.textContent === "");
  expect(http.seen.every(({ path }) => path === "/readyz")).toBe(true);
});
