import { afterEach, beforeEach, expect, test } from "vitest";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { AutoLogin } from "./AutoLogin.tsx";
import { QrPane } from "./QrPane.tsx";

let answer: (seen: Seen) => { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
let entered: string[];
beforeEach(async () => {
  entered = [];
  http = await listen((seen) => answer(seen));
});
afterEach(async () => {
  page.end();
  await http.close();
});
const said = () => page.box.querySelector("[role=status]")?.textContent ?? "";

test("a ticket in the address signs in with the token that it is worth, and stands in no history", async () => {
  location.hash = "#/autoLogin?requestId=ticket-1&rememberMe=true";
  answer = () => ({ body: { code: 200, data: "token-of-the-ticket", msg: "" } });
  page = draw(<AutoLogin enter={(token) => void entered.push(token)} />);
  await page.until(() => entered.length > 0);
  expect(entered).toEqual(["token-of-the-ticket"]);
  expect(location.hash).toBe("#/autoLogin");
  expect(JSON.stringify([http.seen[0]?.body, [...(http.seen[0]?.query ?? [])]])).toContain("ticket-1");
});

const REQUEST = { requestId: "r1", verifier: "v1", matchNumber: "42" };
/** What each call of a code answers: making one, watching it, exchanging it. */
const codeCalls = (exchanged: object) => {
  answer = ({ path, method }) => {
    if (path === "/api/authorizeQrCode/v2") return { body: exchanged };
    return { body: method === "POST" ? REQUEST : { state: "confirmed" } };
  };
};
test.each([
  [{ code: 1, data: "token-of-the-phone", msg: "" }, undefined],
  [{ code: 1, data: null, msg: "" }, "登录失败"],
  [{ code: 0, data: null, msg: "该账号已停用" }, "该账号已停用"],
])("a confirmed code that is exchanged for %j ends in %s (spec 5)", async (exchanged, words) => {
  codeCalls(exchanged);
  page = draw(<QrPane enter={(token) => void entered.push(token)} />);
  await page.until(() => (words === undefined ? entered.length > 0 : said() === words));
  expect(entered).toEqual(words === undefined ? ["token-of-the-phone"] : []);
});
