import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { authenticate } from "../../accounts/contract/index.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { merchantImport } from "../../organisation/server/index.ts";
import {
  checkLines,
  downloadBadLines,
  downloadTemplate,
  getImport,
  getImportSource,
  listImportRows,
  recheckLines,
  runImport,
  startImport,
  stopImport,
  tellPasswords,
} from "../contract.ts";
import { importsOver } from "./index.ts";

const imports = importsOver([merchantImport]);
let world: World;
let sp01: string;
beforeAll(async () => void (world = await openWorld(imports.routes)));
afterAll(() => world.close());
beforeEach(async () => void (sp01 = await world.signIn("sp01")));

type Cells = Record<string, string>;
let made = 0;
const merchant = (more: Cells = {}): Cells => {
  made++;
  return {
    name: `成都第${made}茶业有限公司`,
    shortName: `第${made}茶业`,
    contactName: "文新",
    contactPhone: "13912345678",
    login: `sheet-${made}`,
    ...more,
  };
};
async function upload(sheet: readonly Cells[], token = sp01): Promise<string> {
  const { id } = await world.call(startImport, token, { requestId: randomUUID(), source: "merchants", fileName: "商户.xlsx" });
  await check(
    id,
    sheet.map((cells, at) => [at + 2, cells] as const),
    token,
  );
  return id;
}
const check = (id: string, lines: readonly (readonly [line: number, cells: Cells])[], token = sp01) =>
  world.call(checkLines, token, { id, lines: lines.map(([line, cells]) => ({ line, cells: JSON.stringify(cells) })) });
async function run(id: string, token = sp01) {
  await world.call(runImport, token, { id });
  await world.services.runJobs();
  return (await world.call(getImport, token, { id })).counts;
}
const errorsOf = async (id: string) =>
  (await world.call(listImportRows, sp01, { importId: id, status: 0, pageSize: 100 })).items.map(({ line, errors }) => ({ line, errors }));
const countOf = async (name: string) => (await world.truth("select 1 from merchants where name = $1", [name])).length;

test("the dry run makes nothing and says for each wrong line which column and why; what is right is made, once", async () => {
  const right = merchant({ province: "四川", city: "成都", agent: "蜀地联合代理", rate: "0.6%" });
  const agents = await world.truth<{ name: string }>("select name from agents where id = $1", [world.tree.agents.agent01]);
  right["agent"] = agents[0]!.name;
  const id = await upload([
    right,
    merchant({ contactPhone: "123" }),
    merchant({ login: right["login"]! }),
    merchant({ login: "mch02" }),
    merchant({ agent: "没有的代理", province: "四川省", city: "上海市", trade: "没有的行业" }),
    merchant({ name: "" }),
  ]);
  expect(await countOf(right["name"]!)).toBe(0);
  expect(await errorsOf(id)).toEqual([
    { line: 3, errors: { contactPhone: expect.stringContaining("手机号") } },
    { line: 4, errors: { login: "登录名与第 2 行重复" } },
    { line: 5, errors: { login: "账号已存在，请更换登录名" } },
    { line: 6, errors: { agent: "没有代理商「没有的代理」", city: "四川省没有城市「上海市」", trade: "没有行业「没有的行业」" } },
    { line: 7, errors: { name: expect.any(String) } },
  ]);
  expect(await run(id)).toEqual({ bad: 5, ready: 0, made: 1, there: 0, total: 6 });
  const [stored] = await world.truth("select province, city, agent_id, fee_rate from merchants where name = $1", [right["name"]]);
  expect(stored).toEqual({ province: "四川省", city: "成都市", agent_id: world.tree.agents.agent01, fee_rate: 600 });
  // What was made leaves no personal data behind in the import.
  const kept = await world.truth("select cells from import_rows where status = 2 and import_id = $1", [id]);
  expect(kept).toEqual([{ cells: {} }]);
});

test("a line that is repaired goes through, and the same sheet again makes nothing twice", async () => {
  const sheet = [merchant(), merchant({ contactPhone: "1" }), merchant()];
  const id = await upload(sheet);
  expect(await run(id)).toMatchObject({ made: 2, bad: 1 });
  await check(id, [[3, { ...sheet[1], contactPhone: "13800001234" }]]);
  expect(await run(id)).toEqual({ bad: 0, ready: 0, made: 3, there: 0, total: 3 });
  const again = await upload([sheet[0]!, { ...sheet[1]!, contactPhone: "13800001234" }, sheet[2]!]);
  expect((await world.call(getImport, sp01, { id: again })).counts).toEqual({ bad: 0, ready: 0, made: 0, there: 3, total: 3 });
  expect((await world.refused(runImport, sp01, { id: again })).message).toBe("没有可导入的行");
  for (const { name } of sheet) expect(await countOf(name!)).toBe(1);
});

test("a line whose twin was repaired is right after a second look", async () => {
  const [one, other] = [merchant(), merchant()];
  other["login"] = one["login"]!;
  const id = await upload([one, other]);
  await check(id, [[2, { ...one, login: "another-one" }]]);
  expect(await world.call(recheckLines, sp01, { id })).toEqual({ counts: { bad: 0, ready: 2, made: 0, there: 0, total: 2 } });
});

test("stopping keeps what was made, and going on makes the rest", async () => {
  const sheet = [merchant(), merchant(), merchant()];
  const id = await upload(sheet);
  await world.call(runImport, sp01, { id });
  await world.call(stopImport, sp01, { id });
  await world.services.runJobs();
  expect((await world.call(getImport, sp01, { id })).counts).toMatchObject({ made: 0, ready: 3 });
  expect(await run(id)).toMatchObject({ made: 3, ready: 0 });
});

test("what changed between the dry run and the making is said at the line", async () => {
  const sheet = [merchant({ login: "late-comer" }), merchant()];
  const [first, second] = [await upload(sheet), await upload([merchant({ login: "late-comer" })])];
  await run(second);
  expect(await run(first)).toMatchObject({ made: 1, bad: 1 });
  expect(await errorsOf(first)).toEqual([{ line: 2, errors: { login: "账号已存在，请更换登录名" } }]);
});

test("accounts get their first password when it is asked for, once each, and can sign in with it", async () => {
  const sheet = [merchant(), merchant()];
  const id = await upload(sheet);
  await run(id);
  const before = { username: sheet[0]!["login"]!, password: "whatever-77", rememberMe: false };
  expect((await world.refused(authenticate, undefined, before)).status).toBeGreaterThanOrEqual(400);
  await world.truth("update users set state = 'disabled' where login = $1", [sheet[1]!["login"]]);
  const told = await world.call(tellPasswords, sp01, { id });
  expect(told.accounts.map(({ login }) => login)).toEqual([sheet[0]!["login"]]);
  const { password } = told.accounts[0]!;
  expect((await world.refused(authenticate, undefined, { ...before, password })).message).toBe("请设置新密码");
  await world.call(authenticate, undefined, { ...before, password, newPassword: "Sommer-Regen-77!" });
  expect(await world.call(tellPasswords, sp01, { id })).toEqual({ accounts: [], left: 0 });
});

test("an agent imports to itself alone, without the columns of a provider; others see nothing of it", async () => {
  const agent01 = await world.signIn("agent01");
  const { columns } = await world.call(getImportSource, agent01, { source: "merchants" });
  expect(columns.map(({ key }) => key)).not.toContain("rate");
  const given = merchant({ rate: "0.01%", agent: "whoever" });
  const id = await upload([given], agent01);
  expect(await run(id, agent01)).toMatchObject({ made: 1 });
  expect(await world.truth("select agent_id from merchants where name = $1", [given["name"]])).toEqual([
    { agent_id: world.tree.agents.agent01 },
  ]);
  for (const endpoint of [getImport, runImport, stopImport, recheckLines, tellPasswords, downloadBadLines] as const)
    expect((await world.refused(endpoint, sp01, { id })).status).toBe(404);
  for (const login of ["admin", "sale01", "mch01"] as const)
    expect(
      (await world.refused(startImport, await world.signIn(login), { requestId: randomUUID(), source: "merchants", fileName: "x" })).status,
    ).toBe(403);
});

test("an import of somebody who was closed meanwhile makes nothing", async () => {
  const team01 = await world.signIn("team01");
  const given = merchant();
  const id = await upload([given], team01);
  await world.call(runImport, team01, { id });
  await world.truth("update business_teams set state = 'disabled' where id = $1", [world.tree.teams.team01]);
  await world.services.runJobs();
  expect(await countOf(given["name"]!)).toBe(0);
  const [row] = await world.truth("select status, failure from imports where id = $1", [id]);
  expect(row).toEqual({ status: 3, failure: "账号已停用" });
});

test("an import whose job is lost ends a day after it last went on, and may be run again", async () => {
  const given = merchant();
  const id = await upload([given]);
  const tend = async (hours: number) => {
    world.services.clock.advance(hours * 3_600_000);
    await imports.jobs.find(({ name }) => name === "tend-imports")!.run(world.services, {});
    return (await world.truth("select status, failure from imports where id = $1", [id]))[0];
  };
  world.services.clock.advance(30 * 3_600_000);
  sp01 = await world.signIn("sp01");
  await world.call(runImport, sp01, { id });
  expect(await tend(23)).toMatchObject({ status: 1 });
  expect(await tend(2)).toEqual({ status: 3, failure: "导入中断，请重新导入" });
  // Who left the page hears of it, once.
  await tend(24);
  expect(await world.truth("select title, body from messages where kind = 'import' and strpos(href, $1) > 0", [id])).toEqual([
    { title: "「商户.xlsx」没有导入完", body: "导入中断，已导入 0 行，其余请重新导入" },
  ]);
  sp01 = await world.signIn("sp01");
  expect((await run(id)).made).toBe(1);
  expect(await countOf(given["name"]!)).toBe(1);
});

test("the template and the sheet of wrong lines are workbooks", async () => {
  const id = await upload([merchant({ contactPhone: "1" })]);
  const files = [await world.call(downloadTemplate, sp01, { source: "merchants" }), await world.call(downloadBadLines, sp01, { id })];
  for (const { fileName, size_bytes } of files as FileAnswer[]) {
    expect(fileName).toMatch(/^商户导入.*\.xlsx$/);
    expect(size_bytes).toBeGreaterThan(1000);
  }
});

test("whoever brought a sheet is told when it ends before its lines, with the reason", async () => {
  const given = merchant();
  const id = await upload([given]);
  await world.call(runImport, sp01, { id });
  const [user] = await world.truth<{ id: string; scope: string }>(
    "update imports set scope = scope || 'x' where id = $1 returning owner_user_id as id",
    [id],
  );
  await world.services.runJobs();
  expect(await countOf(given["name"]!)).toBe(0);
  expect(
    await world.truth("select title, body, href from messages where owner_user_id = $1 and kind = 'import' and strpos(href, $2) > 0", [
      user!.id,
      id,
    ]),
  ).toEqual([
    { title: "「商户.xlsx」没有导入完", body: "账号的可见范围已变化，请重新上传", href: expect.stringContaining(`import:${id}`) },
  ]);
});
