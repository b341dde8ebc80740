import { afterEach, expect, test } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { UnreadyBar } from "./UnreadyBar.tsx";

let end = async () => {};
afterEach(() => end());

test("what stands in the way of the service is said, and no longer when it is gone", async () => {
  const told: { status: number; body: object }[] = [
    { status: 200, body: { ok: true } },
    {
      status: 503,
      body: {
        ok: false,
        reasons: [
          { code: "disk", message: "磁盘已满，请清理磁盘" },
          { code: "keys", message: "密钥与数据不符" },
        ],
      },
    },
  ];
  const http = await listen(() => told.shift() ?? { status: 200, body: { ok: true } });
  const page = draw(<UnreadyBar every_ms={20} />);
  end = async () => {
    page.end();
    await http.close();
  };
  expect(page.box.textContent).toBe("");
  await page.until(() => page.box.textContent === "服务暂时不能正常工作：磁盘已满，请清理磁盘；密钥与数据不符。");
  await page.until(() => page.box.textContent === "");
  expect(http.seen.every(({ path }) => path === "/readyz")).toBe(true);
});
