import { afterAll, beforeAll, expect, test } from "vitest";
import { startSimulator, testTransport, type TestSimulator } from "../simulator-for-tests.ts";
import { payerDoor } from "./payers.ts";

let simulator: TestSimulator;
beforeAll(async () => void (simulator = await startSimulator()));
afterAll(() => simulator.stop());

const SECRET = "0123456789abcdef0123456789abcdef";
/** The code with which WeChat's browser comes back to the shop's page. */
async function comesBack(address: string): Promise<string> {
  const { headers } = await fetch(address, { redirect: "manual" });
  return new URL(headers.get("location") ?? "").searchParams.get("code") ?? "";
}

test("WeChat's browser is sent away and comes back with a code, which names the payer once", async () => {
  const door = payerDoor(testTransport);
  const app = { appId: "wx0123456789abcdef", baseUrl: simulator.url };
  const address = door.authorizeUrl(app, "https://pay.example.com/pay/abc?x=1", "s");
  const code = await comesBack(address);
  expect(await door.openIdOf(app, "0".repeat(32), code)).toMatchObject({ kind: "refused", code: "40125" });
  expect(await door.openIdOf({ ...app, appId: "wx1" }, SECRET, code)).toMatchObject({ kind: "refused", code: "40029" });
  const known = await door.openIdOf(app, SECRET, code);
  expect(known).toMatchObject({ kind: "ok", value: expect.stringMatching(/^o\w+$/) });
  expect(await door.openIdOf(app, SECRET, code)).toMatchObject({ kind: "refused", code: "40163" });
});

test("an account of the real channel goes to WeChat's own hosts, with what the page asks", () => {
  const app = { appId: "wx1", baseUrl: "https://api.mch.weixin.qq.com" };
  const url = new URL(payerDoor(testTransport).authorizeUrl(app, "https://a.example/pay/x", "pay"));
  expect([url.origin, url.pathname, url.hash]).toEqual(["https://open.weixin.qq.com", "/connect/oauth2/authorize", "#wechat_redirect"]);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    appid: "wx1",
    redirect_uri: "https://a.example/pay/x",
    response_type: "code",
    scope: "snsapi_base",
    state: "pay",
  });
});

test("no answer and one that nobody understands are unknown, and the secret is in neither", async () => {
  const app = { appId: "wx1", baseUrl: "http://127.0.0.1:9" };
  const said = async (answer: () => Promise<{ status: number; headers: object; body: Buffer }>) =>
    payerDoor((() => answer()) as never).openIdOf(app, SECRET, "code1234");
  const answers = [
    await payerDoor(testTransport).openIdOf(app, SECRET, "code1234"),
    await said(async () => ({ status: 200, headers: {}, body: Buffer.from("<html>") })),
    await said(async () => ({ status: 200, headers: {}, body: Buffer.from('{"errcode":-1,"errmsg":"system busy"}') })),
    await said(async () => ({ status: 502, headers: {}, body: Buffer.from("") })),
  ];
  for (const answer of answers) expect(answer.kind).toBe("unknown");
  expect(JSON.stringify(answers)).not.toContain(SECRET);
});
