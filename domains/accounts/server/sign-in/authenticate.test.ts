import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { authenticate, getAccount, getCaptcha } from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";
import { hashGate, verifyPassword } from "./hash-password.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(() => world.truth("delete from login_failures; delete from login_networks"));

const from = (ip: string) => ({ ip });
const guess = (username: string, password = "Wrong#0000", ip = "10.1.1.1", more: object = {}) =>
  world.refused(authenticate, undefined, { username, password, ...more }, from(ip));
const enter = (username: string, ip = "10.1.1.1", more: object = {}) =>
  world.call(authenticate, undefined, { username, password: DEMO_PASSWORD, ...more }, from(ip));
/** A captcha whose answer the test knows. */
async function captcha(): Promise<{ captchaId: string; captcha: string }> {
  const id = world.services.ids.uuid(world.services.clock.now_ms());
  await world.truth("insert into captchas values ($1, $2, $3)", [
    id,
    sha256(`${id}:ABCDE`),
    new Date(world.services.clock.now_ms() + 3_600_000).toISOString(),
  ]);
  return { captchaId: id, captcha: "abcde" };
}

test("the username is trimmed and its case does not matter; the token is opaque and only its hash is kept", async () => {
  const { id_token } = await enter("  MCH01 ");
  expect(id_token).toMatch(/^[\w-]{43}$/);
  expect(await world.truth("select 1 from sessions where token_hash = $1", [sha256(id_token)])).toHaveLength(1);
  expect((await world.call(getAccount, id_token, {})).login).toBe("mch01");
});

test("unknown account, wrong password and disabled account get one answer, for one hash run each", async () => {
  await world.truth("update users set state = 'disabled' where login = 'mch08'");
  const answers = [];
  for (const [login, password] of [
    ["nobody.here", DEMO_PASSWORD],
    ["mch07", "Wrong#0000"],
    ["mch08", DEMO_PASSWORD],
  ] as const) {
    const before = hashGate.runs;
    const { status, code, message, fields } = await guess(login, password);
    expect(hashGate.runs - before).toBe(1);
    answers.push({ status, code, message, fields });
  }
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(answers[0]).toEqual({ status: 401, code: "login.failed", message: "用户名或密码错误", fields: undefined });
});

test("after three failures a captcha is asked for, without a hash run until it is right, and each is good once", async () => {
  await guess("mch01");
  await guess("mch01");
  expect((await guess("mch01")).fields).toHaveProperty("captcha");
  const before = hashGate.runs;
  expect((await guess("mch01", DEMO_PASSWORD)).fields).toHaveProperty("captcha");
  const given = await captcha();
  expect((await guess("mch01", DEMO_PASSWORD, "10.1.1.1", { ...given, captcha: "WRONG" })).message).toBe("请输入正确的图形验证码");
  expect((await guess("mch01", DEMO_PASSWORD, "10.1.1.1", given)).message).toBe("请输入正确的图形验证码");
  expect(hashGate.runs).toBe(before);
  expect((await enter("mch01", "10.1.1.1", await captcha())).id_token).toBeTruthy();
  expect((await enter("mch01")).id_token).toBeTruthy();
});

test("a captcha's picture holds no text of its answer", async () => {
  const { image } = await world.call(getCaptcha, undefined, {});
  const svg = Buffer.from(image.replace("data:image/svg+xml;base64,", ""), "base64").toString();
  expect(svg).toContain("<path");
  expect(svg).not.toContain("<text");
});

test("five failures lock the account from that network for a minute, doubling to fifteen", async () => {
  await enter("team01", "10.9.9.9");
  const waits = [];
  for (let n = 0; n < 11; n++) {
    await guess("team01", "Wrong#0000", "10.9.9.1", await captcha());
    if (n < 4) continue;
    const locked = await guess("team01", DEMO_PASSWORD, "10.9.9.200", await captcha());
    expect(locked.code).toBe("login.locked");
    waits.push(Number(locked.headers["retry-after"]) / 60);
    world.services.clock.advance(Number(locked.headers["retry-after"]) * 1000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test("an attacker elsewhere can't lock a person out of the network they always come from", async () => {
  await enter("sp01", "10.2.2.2");
  for (let n = 0; n < 14; n++) await guess("sp01", "Wrong#0000", `172.16.${n}.1`, await captcha());
  expect((await guess("sp01", DEMO_PASSWORD, "172.20.0.1", await captcha())).code).toBe("login.locked");
  expect((await enter("sp01", "10.2.2.77")).id_token).toBeTruthy();
});

test("S1: 10,000 guesses at one account in an hour, in bursts from 200 networks and with solved captchas, run the hash 25 times at most", async () => {
  const before = hashGate.runs;
  const refusals = new Map<string, number>();
  let solved = await Promise.all(Array.from({ length: 20 }, captcha));
  for (let burst = 0; burst < 50; burst++) {
    world.services.clock.advance(72_000);
    const codes = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, n) => (await guess("agent01", "Wrong#0000", `192.168.${(burst * 7 + n) % 200}.1`, solved[n % 20])).code,
      ),
    );
    for (const code of codes) refusals.set(code, (refusals.get(code) ?? 0) + 1);
    if (codes.includes("login.failed")) solved = await Promise.all(Array.from({ length: 20 }, captcha));
  }
  expect(hashGate.runs - before).toBeGreaterThanOrEqual(12);
  expect(hashGate.runs - before).toBeLessThanOrEqual(25);
  expect((refusals.get("login.locked") ?? 0) + (refusals.get("busy") ?? 0)).toBeGreaterThan(9_900);
});

test("a wrong password whose count is not written, for the database is busy, is counted before the next is looked at", async () => {
  await enter("mch01");
  await world.truth(`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'busy' using errcode = '53300'; end $$;
    create trigger no_room before insert on login_failures execute function no_room()`);
  const before = hashGate.runs;
  for (const [username, password] of [
    ["mch01", "Wrong#0000"],
    ["MCH01", DEMO_PASSWORD],
    ["nobody.here", "Wrong#0000"],
  ] as const)
    await expect(world.call(authenticate, undefined, { username, password }, from("10.1.1.1"))).rejects.toMatchObject({ code: "53300" });
  expect(hashGate.runs - before).toBe(2);
  await world.truth("drop function no_room cascade");
  for (let n = 2; n <= 5; n++) expect((await guess("mch01", "Wrong#0000", "10.1.1.1", await captcha())).code).toBe("login.failed");
  expect((await guess("mch01", DEMO_PASSWORD, "10.1.1.1", await captcha())).code).toBe("login.locked");
  // Of a name that nobody tries again it is written as well.
  const [counted] = await world.truth<{ n: number }>("select sum(count)::int as n from login_failures where key like 'a:%'");
  expect(counted?.n).toBe(6);
});

test("twenty guesses at the same moment meet the lock that the first of them set", async () => {
  await enter("group01", "10.3.3.3");
  const before = hashGate.runs;
  const captchas = await Promise.all(Array.from({ length: 20 }, captcha));
  const refusals = await Promise.all(captchas.map((given) => guess("group01", "Wrong#0000", "10.3.3.4", given)));
  expect(hashGate.runs - before).toBe(5);
  expect(refusals.filter((refusal) => refusal.code === "login.locked")).toHaveLength(15);
});

test("two hashes run at once, twenty wait, the rest is told 429", async () => {
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, async () => {
      const result = verifyPassword(undefined, "x");
      most = Math.max(most, hashGate.running);
      return result;
    }),
  );
  expect(most).toBe(2);
  expect(results.filter((result) => result.status === "rejected").map((result) => (result as PromiseRejectedResult).reason.status)).toEqual(
    Array(8).fill(429),
  );
  expect(hashGate.running).toBe(0);
});

test("a session ends after 30 idle minutes or 12 hours; a remembered one after 7 idle days or 30 days", async () => {
  const { clock } = world.services;
  const alive = async (token: string) =>
    world.call(getAccount, token, {}).then(
      () => true,
      () => false,
    );
  // The mark of the last use is written beside the call.
  const seen = (token: string) =>
    expect
      .poll(
        async () =>
          (await world.truth<{ seen_at: string }>("select seen_at from sessions where token_hash = $1", [sha256(token)]))[0]!.seen_at,
      )
      .toBe(new Date(clock.now_ms()).toISOString());
  const use = async (token: string, steps: number, step_ms: number) => {
    for (let n = 0; n < steps; n++) {
      clock.advance(step_ms);
      if (!(await alive(token))) return n;
      await seen(token);
    }
    return steps;
  };
  const minute = 60_000;
  const day = 86_400_000;
  const idle = (await enter("mch03")).id_token;
  clock.advance(29 * minute);
  expect(await alive(idle)).toBe(true);
  await seen(idle);
  clock.advance(31 * minute);
  expect(await alive(idle)).toBe(false);
  expect(await use((await enter("mch03")).id_token, 40, 20 * minute)).toBe(35);
  const remembered = (await enter("mch03", "10.1.1.1", { rememberMe: true })).id_token;
  clock.advance(6 * day);
  expect(await alive(remembered)).toBe(true);
  await seen(remembered);
  clock.advance(8 * day);
  expect(await alive(remembered)).toBe(false);
  expect(await use((await enter("mch03", "10.1.1.1", { rememberMe: true })).id_token, 10, 5 * day)).toBe(5);
});
