import { afterAll, beforeAll, expect, test } from "vitest";
import { startSimulator, TEST_API_KEY, testTransport, type TestSimulator } from "../simulator-for-tests.ts";
import { authCodeDoor } from "./auth-code.ts";

let simulator: TestSimulator;
beforeAll(async () => void (simulator = await startSimulator()));
afterAll(() => simulator.stop());

test("a pay code says whose it is, over its own signature and key; wrong codes and keys are refused by name", async () => {
  const account = await simulator.register();
  const door = authCodeDoor(testTransport);
  const ask = (code: string, key = TEST_API_KEY) => door.openIdOf(account, key, code);
  const known = await ask("134567890100000000");
  expect(known).toMatchObject({ kind: "ok", value: expect.stringMatching(/^o\w+45678901$/) });
  // The next code of the same phone is the same person's.
  expect(await ask("134567890155555555")).toEqual(known);
  expect(await ask("134567890100000004")).toMatchObject({ kind: "refused", code: "AUTHCODEEXPIRE" });
  expect(await ask("134567890100000006")).toMatchObject({ kind: "unknown" });
  expect(await ask("12")).toMatchObject({ kind: "refused", code: "AUTH_CODE_INVALID" });
  expect(await ask("134567890100000000", "f".repeat(32))).toMatchObject({ kind: "refused", code: "SIGNERROR" });
});

test("an answer that is not signed with the key, or is none, is unknown, and the key is in none", async () => {
  const account = { appId: "wx1", mchId: "1900000001", subMchId: undefined, baseUrl: "http://127.0.0.1:9" };
  const said = (text: string, status = 200) =>
    authCodeDoor(async () => ({ status, headers: {}, body: Buffer.from(text) }) as never).openIdOf(
      account,
      TEST_API_KEY,
      "134567890100000000",
    );
  const answers = [
    await said(
      "<xml><return_code><![CDATA[SUCCESS]]></return_code><result_code>SUCCESS</result_code><openid>o1</openid><sign>AB</sign></xml>",
    ),
    await said("<html>", 502),
    await said("<xml><return_code>FAIL</return_code><return_msg>系统繁忙</return_msg></xml>"),
    await authCodeDoor(testTransport).openIdOf(account, TEST_API_KEY, "134567890100000000"),
  ];
  for (const answer of answers) expect(answer.kind).toBe("unknown");
  expect(JSON.stringify(answers)).not.toContain(TEST_API_KEY);
});
