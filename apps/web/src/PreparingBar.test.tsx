import { afterEach, expect, test } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { PreparingBar } from "./PreparingBar.tsx";

let end = async () => {};
afterEach(() => end());

test("a page that was opened while the demo world is made says how far that is, and when it is whole", async () => {
  const told = [61, null];
  const http = await listen(() => ({ body: { preparing: told.shift() ?? null } }));
  const page = draw(<PreparingBar percent={43}>刷新</PreparingBar>);
  end = async () => {
    page.end();
    await http.close();
  };
  expect(page.box.textContent).toContain("演示数据准备中 43%");
  await page.until(() => page.box.textContent?.includes("61%"));
  await page.until(() => page.box.textContent === "演示数据已就绪。刷新");
  expect(http.seen.map(({ path }) => path)).toEqual(["/api/brand", "/api/brand"]);
});

test("where nothing is made nothing is said and nothing asked", () => {
  const page = draw(<PreparingBar percent={null} />);
  end = async () => page.end();
  expect(page.box.textContent).toBe("");
});
