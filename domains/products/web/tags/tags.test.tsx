import { afterEach, expect, test } from "vitest";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { TagList } from "./TagList.tsx";

const ID = "01890000-0000-7000-8000-00000000beef";
let page: ReturnType<typeof draw> | undefined;
afterEach(() => page?.end());

test("a tag has an address of its own, whatever the filter", async () => {
  const tag = { id: ID, name: "早餐", code: "BREAKFAST", products: 3, createdAt: "2026-07-01T00:00:00.000Z" };
  const http = await listen(({ path }) => ({ body: path.endsWith(ID) ? tag : { items: [], next: null } }));
  startSession("token");
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "MCH", entityName: "", paths: new Set() });
  location.hash = `/product/tag?keyword=x&id=${ID}`;
  page = draw(<TagList />);
  const dialog = await page.until(() => document.querySelector("[role=dialog] .pairs")?.closest("[role=dialog]"));
  for (const words of ["早餐", "BREAKFAST", "3 个商品"]) expect(dialog.textContent).toContain(words);
  await http.close();
});
