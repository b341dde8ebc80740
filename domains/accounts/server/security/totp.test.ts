import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import {
  authenticate,
  confirmTotp,
  endTotp,
  getAccount,
  getSecurity,
  manualLogin,
  resetPassword,
  startTotp,
} from "../../contract/index.ts";
import { totpAt } from "../sign-in/check-totp.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(() => world.truth("delete from login_failures; delete from login_networks"));

const password = DEMO_PASSWORD;
const enter = (username: string, more: object = {}) => world.call(authenticate, undefined, { username, password, ...more });
const refused = (username: string, more: object = {}) => world.refused(authenticate, undefined, { username, password, ...more });
const alive = async (token: string) => (await world.call(getAccount, token, {})).login;
const dead = async (token: string) => expect((await world.refused(getAccount, token, {})).status).toBe(401);

/** What the app shows for a secret now, or so many steps from now. */
function codeOf(secret: string, later = 0): string {
  const bits = [...secret].map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0")).join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  return totpAt(bytes, Math.floor(world.services.clock.now_ms() / 30_000) + later);
}
const next = () => world.services.clock.advance(30_000);

test("a second factor counts once its first code has come; then sign-in asks for it, each code opens once, and other sessions end", async () => {
  const [mine, other] = [await world.signIn("sp02"), await world.signIn("sp02")];
  expect(await world.call(getSecurity, mine, {})).toEqual({ totp: false, recoveryCodesLeft: 0 });
  expect((await world.refused(startTotp, mine, { password: "Wrong#0000" })).fields).toHaveProperty("password");
  expect((await world.refused(confirmTotp, mine, { code: "123456" })).status).toBe(409);

  const { secret, uri } = await world.call(startTotp, mine, { password });
  expect(uri).toBe(`otpauth://totp/%E8%B4%A6%E6%88%BF%3Asp02?secret=${secret}&issuer=%E8%B4%A6%E6%88%BF`);
  expect((await enter("sp02")).id_token).toBeTruthy();
  const wrong = codeOf(secret) === "000000" ? "000001" : "000000";
  expect((await world.refused(confirmTotp, mine, { code: wrong })).fields).toHaveProperty("code");
  const { recoveryCodes } = await world.call(confirmTotp, mine, { code: codeOf(secret) });
  expect([
    recoveryCodes.length,
    new Set(recoveryCodes).size,
    recoveryCodes.every((code) => /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/.test(code)),
  ]).toEqual([10, 10, true]);
  expect(await alive(mine)).toBe("sp02");
  await dead(other);
  expect(await world.call(getSecurity, mine, {})).toEqual({ totp: true, recoveryCodesLeft: 10 });

  expect((await world.refused(startTotp, mine, { password })).code).toBe("totp.on");

  expect((await refused("sp02")).code).toBe("login.totp");
  expect((await refused("sp02", { totp: wrong })).message).toBe("用户名或密码错误");
  // The code that confirmed it was spent by that.
  expect((await refused("sp02", { totp: codeOf(secret) })).code).toBe("login.failed");
  next();
  expect((await enter("sp02", { totp: codeOf(secret) })).id_token).toBeTruthy();
  expect((await refused("sp02", { totp: codeOf(secret) })).code).toBe("login.failed");

  const [first, second] = recoveryCodes;
  expect((await enter("sp02", { totp: first! })).id_token).toBeTruthy();
  expect((await refused("sp02", { totp: first! })).code).toBe("login.failed");
  await world.truth("delete from login_failures");
  const many = await Promise.allSettled(
    Array.from({ length: 5 }, () => enter("sp02", { totp: second!.toLowerCase().replaceAll("-", "") })),
  );
  expect(many.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  await world.truth("delete from login_failures");
  expect(await world.call(getSecurity, (await enter("sp02", { totp: recoveryCodes[2]! })).id_token, {})).toEqual({
    totp: true,
    recoveryCodesLeft: 7,
  });
  const told = await world.truth<{ text: string }>(
    "select string_agg(u::text, '') || (select string_agg(a::text, '') from audit_log a) as text from users u",
  );
  for (const secretThing of [secret, ...recoveryCodes]) expect(told[0]!.text).not.toContain(secretThing);
});

test("it is switched off with the password and a code, guesses are slowed, and everything is on record", async () => {
  const mine = await world.signIn("mch03");
  const { secret } = await world.call(startTotp, mine, { password });
  await world.call(confirmTotp, mine, { code: codeOf(secret) });
  next();
  const other = await world.signIn("mch03");
  expect((await world.refused(endTotp, mine, { password: "Wrong#0000", code: codeOf(secret) })).fields).toHaveProperty("password");
  const wrong = codeOf(secret) === "000000" ? "000001" : "000000";
  expect((await world.refused(endTotp, mine, { password, code: wrong })).fields).toHaveProperty("code");
  for (let n = 0; n < 3; n++) await world.refused(endTotp, mine, { password, code: wrong });
  expect((await world.refused(endTotp, mine, { password, code: codeOf(secret) })).code).toBe("login.locked");
  world.services.clock.advance(60_000);
  expect(await world.call(endTotp, mine, { password, code: codeOf(secret) })).toEqual({ ok: true });
  await dead(other);
  expect(await alive(mine)).toBe("mch03");
  expect((await enter("mch03")).id_token).toBeTruthy();
  expect((await world.refused(endTotp, mine, { password, code: codeOf(secret, 1) })).status).toBe(409);
  const titles = await world.truth<{ title: string }>(
    "select title from audit_log where login = 'mch03' and title like '%动态验证码' order by at, id",
  );
  expect(new Set(titles.map((row) => row.title))).toEqual(new Set(["设置动态验证码", "启用动态验证码", "关闭动态验证码"]));
});

test("a wrong password whose count is not written, for the database is busy, is counted before the next is looked at", async () => {
  const mine = await world.signIn("mch03");
  await world.truth(`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'busy' using errcode = '53300'; end $$;
    create trigger no_room before insert on login_failures execute function no_room()`);
  for (const given of ["Wrong#0000", password])
    await expect(world.call(startTotp, mine, { password: given })).rejects.toMatchObject({ code: "53300" });
  await world.truth("drop function no_room cascade");
  for (let n = 2; n <= 5; n++) expect((await world.refused(startTotp, mine, { password: "Wrong#0000" })).status).toBe(400);
  expect((await world.refused(startTotp, mine, { password })).code).toBe("login.locked");
});

test("nobody sets it for another, and whoever lost the phone gets in again through somebody above", async () => {
  const mine = await world.signIn("mch07");
  const { secret } = await world.call(startTotp, mine, { password });
  await world.call(confirmTotp, mine, { code: codeOf(secret) });
  const sp = await world.signIn("sp01");
  const acting = await world.call(manualLogin, sp, { userId: world.tree.users.mch07 });
  for (const [endpoint, input] of [
    [startTotp, { password }],
    [confirmTotp, { code: "123456" }],
    [endTotp, { password, code: "123456" }],
  ] as const)
    expect((await world.refused(endpoint, acting, input as never)).code).toBe("acting");
  const reset = await world.call(resetPassword, sp, { id: world.tree.users.mch07 });
  expect((await refused("mch07", { password: reset.password })).code).toBe("login.change-password");
  const { id_token } = await enter("mch07", { password: reset.password, newPassword: "Sommer-Regen-77!" });
  expect(await world.call(getSecurity, id_token, {})).toEqual({ totp: false, recoveryCodesLeft: 0 });
});
