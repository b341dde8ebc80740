import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkHouse } from "./check-house.ts";
import { newEndpoint, newScreen } from "./new.ts";
import { ROOT } from "./run.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "zf-new-"));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  for (const domain of ["orders/contract", "stores"]) mkdirSync(join(root, "domains", domain), { recursive: true });
  for (const domain of ["orders", "stores"]) writeFileSync(join(root, `domains/${domain}/README.md`), "一页\n");
  writeFileSync(
    join(root, "domains/stores/contract.ts"),
    'import { z } from "zod";\nimport { id } from "@zhangfang/contract/fields.ts";\n\nexport const store = z.object({ id });\n',
  );
});
afterAll(() => rmSync(root, { recursive: true }));

function typesOf(side: "server" | "web"): string {
  writeFileSync(
    join(root, `tsconfig.${side}.json`),
    JSON.stringify({
      extends: join(ROOT, `tsconfig.${side}.json`),
      include: ["domains/*/contract/*.ts", "domains/*/contract.ts", `domains/*/${side}/*`],
      exclude: [],
    }),
  );
  return spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", `tsconfig.${side}.json`], { cwd: root, encoding: "utf8" }).stdout;
}

test("what is written compiles on both sides and keeps the laws of the house, and says where to enlist it", { timeout: 120_000 }, () => {
  const close = newEndpoint(root, { domain: "orders", name: "close-order", title: "关闭订单", access: "/dataCentre/payOrder/close" });
  expect(close.files).toEqual(["domains/orders/contract/close-order.ts", "domains/orders/server/close-order.ts"]);
  expect(close.next[0]).toBe('domains/orders/contract/index.ts 加一行：export * from "./close-order.ts";');
  newEndpoint(root, { domain: "stores", name: "get-store-group", title: "门店分组", access: "/store/group" });
  newEndpoint(root, { domain: "stores", name: "close-store", title: "停用门店", access: "/store/store" });

  const screen = newScreen(root, { domain: "orders", name: "order-comment", title: "订单评价" });
  expect(screen.files.at(-1)).toBe("domains/orders/web/OrderComment.tsx");
  expect(screen.next).toContain(
    'domains/orders/web/index.ts 的 screens 加一行："order-comment": screen(() => import("./OrderComment.tsx"), "OrderComment"),',
  );
  expect(readFileSync(join(root, "domains/orders/contract/list-order-comments.ts"), "utf8")).toContain('access: "/dataCentre/comment"');

  expect(typesOf("server")).toBe("");
  expect(typesOf("web")).toBe("");
  expect(checkHouse(root).violations).toEqual([]);
});

test("a name that says no verb, a domain or screen that is not there, and a file that is there are refused", () => {
  const wanted = { domain: "orders", name: "close-order", title: "关闭订单", access: "/" };
  expect(() => newEndpoint(root, wanted)).toThrow("domains/orders/server/close-order.ts 已经存在");
  expect(() => newEndpoint(root, { ...wanted, name: "orders" })).toThrow("应为 动词-名词");
  expect(() => newEndpoint(root, { ...wanted, domain: "nothing" })).toThrow("没有领域 nothing");
  expect(() => newScreen(root, { ...wanted, name: "no-such-screen" })).toThrow("菜单里没有画面");
});
