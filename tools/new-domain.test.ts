import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDomain } from "./new/new-domain.ts";
import { findBrowser } from "./find-browser.ts";
import { ROOT } from "./run.ts";
import { copyTree, MODULES } from "./tests/copy-tree.ts";

// NEW_DOMAIN=all (npm run proofs) runs the whole `npm run check` in the copy, types and lint with it; the short form what reads files alone.
const ALL = process.env["NEW_DOMAIN"] === "all";
let copy = "";
// All screens of the product stand: the copy's menu gets one more.
beforeAll(() => {
  copy = copyTree("zf-domain-");
  const menu = join(copy, "domains/accounts/contract/menu-tree/wechat-crm.ts");
  const text = readFileSync(menu, "utf8");
  writeFileSync(menu, text.replace("screens: [\n", 'screens: [\n      ["gift-card-list", "礼品卡", "/wxCRM/giftCards", "SP MCH"],\n'));
});
afterAll(() => rmSync(copy, { recursive: true }));

/** What a command says where it fails; nothing where it passes. */
function faults(command: string, ...args: string[]): string {
  // The copy has no browser of its own, and the settings of its journeys name one.
  const CHROME = ALL ? findBrowser().executablePath : undefined;
  const PATH = `${join(MODULES, ".bin")}${delimiter}${process.env["PATH"]}`;
  const env = { ...process.env, MATRIX_ROOM: "gift-cards", PATH, ...(CHROME !== undefined && { CHROME }) };
  // This test's own runner is not the copy's.
  for (const name of Object.keys(env).filter((one) => /^(VITEST|ZF_TEST)/.test(one))) delete (env as Record<string, unknown>)[name];
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: "utf8", env });
  return status === 0 ? "" : stdout + stderr;
}

test(
  "a domain that is made by npm run new alone passes the checks, its own test and the matrix as it stands",
  { timeout: ALL ? 3_600_000 : 600_000 },
  () => {
    expect(faults("node", "tools/new.ts", "domain", "gift-cards", "礼品卡", "--table")).toBe("");
    if (ALL) expect(faults("node", "tools/check.ts")).toBe("");
    else {
      expect(faults("node", "tools/check-house.ts")).toBe("");
      expect(faults("oxfmt", "--check", "domains/gift-cards", "apps", "domains/accounts/contract", "e2e")).toBe("");
    }
    expect(
      faults(
        "vitest",
        "run",
        "--project=server",
        "domains/gift-cards",
        "apps/server/matrix.test.ts",
        "kit/server/database/table-kinds.test.ts",
      ),
    ).toBe("");
  },
);

test("a name that is no plural, a domain that is there, and a screen that the menu does not know or no merchant holds are refused", () => {
  expect(() => newDomain(copy, "GiftCard", "礼品卡")).toThrow("应为复数名词");
  expect(() => newDomain(ROOT, "stores", "礼品卡")).toThrow("已经存在");
  expect(() => newDomain(ROOT, "nothings", "没有的画面")).toThrow("菜单里没有画面");
  expect(() => newDomain(ROOT, "cars", "收银员")).toThrow("已经有了");
  // No screen that waits to be built is without merchants: one that is built is taken off the list.
  const menu = join(copy, "domains/accounts/contract/menu-tree/admin.ts");
  writeFileSync(menu, readFileSync(menu, "utf8").replace(/^ +"data-push-index",\n/m, ""));
  expect(() => newDomain(copy, "pushes", "数据推送")).toThrow("要有 MCH");
});
