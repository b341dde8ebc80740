// npm run new -- domain gift-cards 礼品卡 --table
// npm run new -- endpoint orders close-order 关闭订单 [/dataCentre/payOrder/close]
// npm run new -- screen orders order-comment 订单评价
// Writes files from templates that are then yours, and says which lists they want to stand in.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MENU_TREE } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { newDomain } from "./new/new-domain.ts";
import { camel, CONTRACT_IMPORTS, contractText, kindOf, pascal, screenText, serverText, type Wanted } from "./new/templates.ts";
import { run } from "./run.ts";

const USAGE = `用法：
  npm run new -- domain 复数名词 画面名 --table              如：domain gift-cards 礼品卡 --table
  npm run new -- endpoint 领域 verb-noun 中文名 [权限路径]   如：endpoint orders close-order 关闭订单 /dataCentre/payOrder/close
  npm run new -- screen 领域 screen-key 中文名               如：screen orders order-comment 订单评价`;

export interface Written {
  readonly files: readonly string[];
  /** What to do by hand, each a line. */
  readonly next: readonly string[];
}

/** Writes an endpoint's declaration and handler. @throws when a name is wrong or a file is there */
export function newEndpoint(root: string, wanted: Wanted): Written {
  const { domain, name, access } = wanted;
  if (!/^[a-z]+(-[a-z0-9]+)+$/.test(name)) throw new Error(`「${name}」应为 动词-名词，如 close-order`);
  const folder = domainFolder(root, domain);
  const server = join(folder, "server", `${name}.ts`);
  const inFolder = existsSync(join(root, folder, "contract"));
  const contract = join(folder, inFolder ? `contract/${name}.ts` : "contract.ts");
  for (const path of inFolder ? [server, contract] : [server]) if (existsSync(join(root, path))) throw new Error(`${path} 已经存在`);
  write(root, contract, declared(root, contract, wanted));
  write(root, server, serverText(wanted, inFolder ? `../contract/${name}.ts` : "../contract.ts"));
  return {
    files: [contract, server],
    next: [
      ...(inFolder ? [`${folder}/contract/index.ts 加一行：export * from "./${name}.ts";`] : []),
      `${folder}/server/index.ts 的 routes 加上 ${camel(name)}Route（从 ./${name}.ts 引入）`,
      `权限「${access}」须在菜单里：domains/accounts/contract/menu-tree/ 中所属一级菜单的 screens 或 buttons`,
      `测试写在 ${folder}/server/${name}.test.ts：${kindOf(name) === "write" ? "允许、拒绝、别家、重复、审计" : "允许、拒绝、别家"}`,
    ],
  };
}

/** Writes a list screen with the endpoint behind it. @throws when the menu does not know the screen */
export function newScreen(root: string, { domain, name, title }: Omit<Wanted, "access">): Written {
  const row = MENU_TREE.flatMap((top) => top.screens as readonly (readonly [string, string, string, ...string[]])[]).find(
    ([screen]) => screen === name,
  );
  if (!row) throw new Error(`菜单里没有画面「${name}」，先加到 domains/accounts/contract/menu-tree/ 中所属一级菜单的 screens`);
  const list = `list-${name.replace(/(-list)?$/, "").replace(/s?$/, "s")}`;
  const folder = domainFolder(root, domain);
  const screen = join(folder, "web", `${pascal(name)}.tsx`);
  if (existsSync(join(root, screen))) throw new Error(`${screen} 已经存在`);
  const behind = newEndpoint(root, { domain, name: list, title, access: row[2] });
  write(root, screen, screenText({ domain, name, title, access: row[2] }, camel(list), `../${behind.files[0]?.slice(folder.length + 1)}`));
  return {
    files: [...behind.files, screen],
    next: [
      ...behind.next,
      `${folder}/web/index.ts 的 screens 加一行："${name}": screen(() => import("./${pascal(name)}.tsx"), "${pascal(name)}"),`,
      `domains/accounts/contract/menu-tree/ 中所属一级菜单的 built 加上 "${name}"`,
    ],
  };
}

function domainFolder(root: string, domain: string): string {
  const folder = `domains/${domain}`;
  if (!existsSync(join(root, folder))) throw new Error(`没有领域 ${domain}；新领域先建 ${folder}/README.md`);
  return folder;
}

/** The contract with the declaration at its end and whatever it imports at its beginning. */
function declared(root: string, path: string, wanted: Wanted): string {
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  const imports = Object.entries(CONTRACT_IMPORTS[kindOf(wanted.name)]).flatMap(([module, names]) => {
    const missing = names.filter((name) => !new RegExp(`^import [^;]*\\b${name}\\b[^;]*;`, "m").test(before));
    return missing.length > 0 ? [`import { ${missing.join(", ")} } from "${module}";\n`] : [];
  });
  return `${imports.join("")}${before || "\n"}${before && "\n"}${contractText(wanted)}`;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A domain, formatted, with the types of its table. */
async function writeDomain(root: string, name: string, title: string): Promise<void> {
  const files = newDomain(root, name, title);
  // From a fresh database: the generated query is checked against the table that it asks.
  const { code, output } = await run("node", ["tools/types.ts"]);
  if (code !== 0) throw new Error(output);
  await run(
    "oxfmt",
    files.filter((path) => /\.tsx?$/.test(path)),
  );
  process.stdout.write(`已写好，并列入各处：\n${[...files, "kit/server/database/types.gen.ts"].map((path) => `  ${path}\n`).join("")}`);
}

async function main([kind, domain, name, title, access]: readonly string[]): Promise<void> {
  if (kind === "domain" && domain && name && title === "--table") return writeDomain(join(import.meta.dirname, ".."), domain, name);
  if (!domain || !name || !title || (kind !== "endpoint" && kind !== "screen")) throw new Error(USAGE);
  const root = join(import.meta.dirname, "..");
  // An item that nobody holds: until it stands in the menu, everybody is refused.
  const written =
    kind === "screen"
      ? newScreen(root, { domain, name, title })
      : newEndpoint(root, { domain, name, title, access: access ?? `/${domain}/${name}` });
  await run("oxfmt", written.files);
  process.stdout.write(
    `已写好：\n${written.files.map((path) => `  ${path}\n`).join("")}接下来：\n${written.next.map((line) => `  ${line}\n`).join("")}`,
  );
}

if (import.meta.main) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  });
}
