import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw, type } from "../../../orders/web/testing-screen.tsx";
import { useScan } from "./use-scan.ts";

const SHUT = "读错的次卡号太多，请改用会员码，或一分钟后再试";
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw>;
let known = true;

function Probe(): ReactNode {
  const scan = useScan("s1");
  return (
    <>
      <input value={scan.text} onChange={(event) => scan.type(event.target.value)} />
      <button onClick={scan.go}>查券</button>
      <output>{scan.fault ?? scan.found?.what ?? ""}</output>
    </>
  );
}
const says = (words: string) => vi.waitFor(() => expect(document.querySelector("output")?.textContent).toBe(words), { timeout: 15_000 });
const asks = () => http.seen.map(({ path }) => path);

beforeEach(async () => {
  known = true;
  http = await listen(({ path }) => {
    if (path === "/api/vip/desk/look") return { status: 400, body: { code: "times.shut", message: SHUT, fields: { code: SHUT } } };
    return known ? { body: { ticket: "t" } } : { status: 409, body: { code: "voucher.refused", message: "券码不存在" } };
  });
  screen = draw(<Probe />, ["/vip-member/timesRecords/use"]);
  await vi.waitFor(() => expect(button("查券")).toBeDefined());
});
afterEach(async () => {
  await vi.waitFor(() => expect(answers().isFetching()).toBe(0));
  screen.close();
  await http.close();
});

test("a voucher of twelve digits is looked up at its platform while the desk looks at no times card's number", async () => {
  type(document.querySelector("input")!, "1234 5678 9012");
  await vi.waitFor(() => expect(document.querySelector("input")?.value).toBe("1234 5678 9012"));
  button("查券")?.click();
  await says("voucher");
  expect(asks()).toEqual(["/api/vip/desk/look", "/api/platforms/desk/prepare"]);
});

test("what no platform knows may be a card that was not looked at, and the words say so", async () => {
  known = false;
  type(document.querySelector("input")!, "123456789012");
  await vi.waitFor(() => expect(document.querySelector("input")?.value).toBe("123456789012"));
  button("查券")?.click();
  await says(`券码不存在。${SHUT}`);
});
