import { readFileSync } from "node:fs";
import { readCsv } from "@zhangfang/server/testing-tables.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { newPhone } from "./phone.ts";
import { factsOf, rowOf } from "./read-screen.ts";
import { api, PASSWORD } from "./world.ts";

// 立即清零 of a shop whose members nobody else gives points to: what is shown before is what is frozen, told and in the file.
test.use({ login: "mch05" });

const call = async <T = Record<string, unknown>>(token: string, path: string, body?: object): Promise<T> => {
  const { status, data } = await api<T>(token, body ? "POST" : "GET", path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(data)}`);
  return data;
};

/** The token of a sub-account of the shop that may ask for a clearing. */
async function aClerk(own: string): Promise<string> {
  const items = ["/vip-member/integralReset", "/vip-member/integralReset/run"];
  const login = `clear${Date.now() % 1_000_000}`;
  const { id: positionId } = await call<{ id: string }>(own, "/api/positions/add", { requestId: crypto.randomUUID(), name: login, items });
  const { password } = await call<{ password: string }>(own, "/api/users/add", { login, firstName: "店员", positionId, level: "MCH" });
  // The first password is good for setting one's own.
  const first = { username: login, password, newPassword: `${PASSWORD}1`, rememberMe: false };
  return (await call<{ id_token: string }>("", "/api/authenticateNew", first)).id_token;
}

test("what a clearing would take is what its list freezes; what is used since is not cleared, and it can be taken back", async ({
  page,
}) => {
  const own = await sharedToken("mch05");
  const stores = await call<readonly { id: string }[]>(own, "/newokpayorderservice/api/stores/list?keyword=&type=all");
  const give = (memberNo: string, points: number) =>
    call(own, "/api/points/adjustments", { requestId: crypto.randomUUID(), memberNo, points, reason: "event", note: "旅程" });
  const add = async (name: string, points: number): Promise<string> => {
    const phone = newPhone();
    const { id } = await call<{ id: string }>(own, "/api/members/add", { storeId: stores[0]!.id, phone, name, consent: true });
    const { memberNo } = await call<{ memberNo: string }>(own, `/api/members/${id}`);
    await give(memberNo, points);
    return memberNo;
  };
  const clearing = () => call<{ now: { members: number; points: number } }>(own, "/api/points/clearing");
  const before = (await clearing()).now;
  const [first, second] = [await add("白芷", 500), await add("白术", 300)];
  const now = (await clearing()).now;
  expect([now.members - before.members, now.points - before.points]).toEqual([2, 800]);

  // Asked by somebody of the shop, decided by its owner, who sees what it would take.
  await call(await aClerk(own), "/api/points/clears", { requestId: crypto.randomUUID(), reason: "旅程停业" });
  await page.goto("/#/vip-member/integralReset");
  await rowOf(page, "待审核").click();
  const drawer = page.getByRole("dialog", { name: "积分清零" });
  await expect(drawer.getByRole("heading", { name: "如果今天通过" })).toBeVisible();
  await expect(drawer).toContainText(`${now.members} 位`);
  await expect(drawer).toContainText(now.points.toLocaleString("en-US"));
  await clean(page, "立即清零 before it is decided");
  await drawer.getByRole("button", { name: "通过" }).click();
  const question = page.locator("dialog.ask");
  await expect(question).toContainText(`冻结 ${now.members} 位会员的 ${now.points.toLocaleString("en-US")} 积分`);
  await question.getByRole("button", { name: "通过" }).click();
  await expect(page.getByText("已通过", { exact: true })).toBeVisible();
  const listed = { 会员: `${now.members} 位`, 冻结: now.points.toLocaleString("en-US") };
  await expect.poll(() => factsOf(drawer)).toMatchObject({ ...listed, 已用掉: "0", 还会清: listed.冻结 });

  // Used since: not cleared. Given since: not in the list.
  await give(first, -100);
  await give(second, 40);
  await page.reload();
  await expect.poll(() => factsOf(drawer)).toMatchObject({ ...listed, 已用掉: "100", 还会清: (now.points - 100).toLocaleString("en-US") });
  const table = drawer.getByRole("table", { name: "清零名单" });
  await expect(table.getByRole("row").filter({ hasText: first })).toContainText(/400.*500.*100.*400/s);
  await expect(table.getByRole("row").filter({ hasText: second })).toContainText(/340.*300.*0.*300/s);

  await drawer.getByRole("button", { name: "导出" }).click();
  const dialog = page.getByRole("dialog", { name: "导出积分清零名单" });
  await dialog.getByLabel(/\.csv/).check();
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await page.getByRole("button", { name: "查看导出记录" }).click();
  const file = page.getByRole("table", { name: "导出记录" }).getByRole("row").filter({ hasText: "积分清零名单" }).first();
  await expect(file).toContainText("可下载");
  const downloading = page.waitForEvent("download");
  await file.getByRole("button", { name: /下载/ }).click();
  const [titles = [], ...rows] = readCsv(readFileSync(await (await downloading).path())).map((row) => row.map(({ text }) => text));
  const sum = (title: string) => rows.reduce((total, row) => total + Number(row[titles.indexOf(title)]), 0);
  expect([rows.length, sum("冻结时"), sum("还会清")]).toEqual([now.members, now.points, now.points - 100]);

  await page.goto("/#/vip-member/integralReset");
  await rowOf(page, "已预告").click();
  await drawer.getByRole("button", { name: "取消清零" }).click();
  await question.getByRole("button", { name: "取消清零" }).click();
  await expect(rowOf(page, "已取消").first()).toBeVisible();
  expect((await clearing()).now.points).toBe(now.points - 60);
});
