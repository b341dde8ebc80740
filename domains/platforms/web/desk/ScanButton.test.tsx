import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../../orders/web/testing-screen.tsx";
import { Desk } from "./Desk.tsx";
import { ScanButton } from "./ScanButton.tsx";
import { useScan } from "./use-scan.ts";

const VOUCHER = "110000001234820";
/** What the browser's reader sees in the next pictures, one after the other; the last stays. */
let seen: readonly string[];
const stopped: MediaStreamTrack[] = [];
function aStream(): MediaStream {
  const track = Object.assign(new EventTarget(), { stop: () => void stopped.push(track as unknown as MediaStreamTrack) });
  return Object.assign(new MediaStream(), { getTracks: () => [track] }) as unknown as MediaStream;
}
const openCamera = vi.fn<(wish: MediaStreamConstraints) => Promise<MediaStream>>();
/** Plants a browser that reads codes of the given kinds. */
function plant(kinds: readonly string[]): void {
  class Reader {
    static getSupportedFormats = () => Promise.resolve(kinds);
    detect() {
      const [next = "", ...rest] = seen;
      if (rest.length > 0) seen = rest;
      return next === "blind" ? Promise.reject(new Error("no picture yet")) : Promise.resolve(next === "" ? [] : [{ rawValue: next }]);
    }
  }
  vi.stubGlobal("BarcodeDetector", Reader);
}
const EMPTY = { verified: 0, reversed: 0, open: [], today: [], own: [], now: "2026-11-20T04:00:00.000Z" };
const FOUND = {
  ticket: "t",
  platform: "dy",
  title: "双人餐",
  kind: 1,
  most: 1,
  times: 1,
  left: 1,
  incomeSaid: "1.00",
  undoSaid: "核错了，1 小时内可撤销",
  payCents: 100,
};
/** Until when the desk's calls to the platform take. */
let platform: Promise<void>;
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
function Probe(): ReactNode {
  const scan = useScan("s1");
  return (
    <>
      <ScanButton busy={scan.busy} onCode={scan.take} />
      <output>{scan.found ? `${scan.found.what} ${scan.text}` : ""}</output>
    </>
  );
}
const openDesk = () => (screen = draw(<Probe />, ["/plat-dy/coupon/verify"]));
const says = (words: string | RegExp) => vi.waitFor(() => expect(document.body.textContent).toMatch(words), { timeout: 15_000 });
async function tap(): Promise<void> {
  await vi.waitFor(() => expect(button("扫一扫")).toBeDefined(), { timeout: 15_000 });
  button("扫一扫")!.click();
}

beforeEach(async () => {
  seen = [""];
  stopped.length = 0;
  openCamera.mockReset().mockImplementation(() => Promise.resolve(aStream()));
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia: openCamera }, configurable: true });
  platform = Promise.resolve();
  http = await listen(async ({ path }) => {
    if (path === "/api/platforms/desk/stores") return { body: [{ id: "s1", name: "一店", connected: ["dy"] }] };
    if (path === "/api/platforms/desk") return { body: EMPTY };
    await platform;
    return { body: path === "/api/platforms/desk/verify" ? [] : FOUND };
  });
});
afterEach(async () => {
  await vi.waitFor(() => expect(answers().isFetching()).toBe(0));
  screen?.close();
  screen = undefined;
  vi.unstubAllGlobals();
  await http.close();
});

test.each([
  ["no reader", undefined],
  ["a reader of none of our codes", ["ean_13"]],
])("with %s there is no button", async (_what, kinds) => {
  if (kinds) plant(kinds);
  openDesk();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(button("扫一扫")).toBeUndefined();
});

test("a code in the picture of the rear camera is looked up and not used, and the camera goes off", async () => {
  plant(["qr_code", "ean_13"]);
  seen = ["blind", "", VOUCHER];
  openDesk();
  await tap();
  await says(`voucher ${VOUCHER}`);
  expect(openCamera.mock.calls).toEqual([[{ video: { facingMode: "environment" } }]]);
  expect(http.seen.map(({ path }) => path)).toEqual(["/api/platforms/desk/prepare"]);
  expect(stopped).toHaveLength(1);
  expect(document.querySelector("video")).toBeNull();
});

test("a tap closes it, and the camera goes off", async () => {
  plant(["qr_code"]);
  openDesk();
  await tap();
  await says("把券码放进画面");
  await vi.waitFor(() => expect(document.querySelector("video")?.srcObject).toBeTruthy());
  button("不扫了，手工输入")!.click();
  await vi.waitFor(() => expect(stopped).toHaveLength(1));
  expect(document.querySelector("video")).toBeNull();
  expect(http.seen).toEqual([]);
});

test("closed while the browser asks for leave, a camera that comes after it goes off at once", async () => {
  plant(["qr_code"]);
  const late = Promise.withResolvers<MediaStream>();
  openCamera.mockReturnValue(late.promise);
  openDesk();
  await tap();
  await says("把券码放进画面");
  button("不扫了，手工输入")!.click();
  await vi.waitFor(() => expect(document.querySelector("video")).toBeNull());
  expect(stopped).toEqual([]);
  late.resolve(aStream());
  await vi.waitFor(() => expect(stopped).toHaveLength(1));
});

test.each([
  ["NotAllowedError", "没有相机权限"],
  ["NotFoundError", "这台设备没有相机"],
  ["NotReadableError", "相机打不开"],
])("%s is said in words", async (name, words) => {
  plant(["qr_code"]);
  openCamera.mockRejectedValue(new DOMException("no", name));
  openDesk();
  await tap();
  await says(words);
  expect(document.querySelector("[role=alert]")?.textContent).toContain("手工输入券码");
});

test("a camera that another application takes says so, and reads no more", async () => {
  plant(["qr_code"]);
  const stream = aStream();
  openCamera.mockResolvedValue(stream);
  openDesk();
  await tap();
  await vi.waitFor(() => expect(document.querySelector("video")?.srcObject).toBeTruthy());
  stream.getTracks()[0]!.dispatchEvent(new Event("ended"));
  await says("相机打不开");
  expect(stopped).toHaveLength(1);
});

test("what was read has the focus in the desk's field at once, and nothing is read while something is looked up or used", async () => {
  plant(["qr_code"]);
  seen = [VOUCHER];
  screen = draw(<Desk views={null} />, ["/plat-dy/coupon/verify"]);
  const until = async (calls: number, path: string): Promise<void> => {
    await vi.waitFor(() => expect(http.seen.filter((one) => one.path === path)).toHaveLength(calls), { timeout: 15_000 });
    await vi.waitFor(() => expect(document.activeElement?.id).toBe("desk-scan"));
    expect(button("扫一扫")!.disabled).toBe(true);
  };
  await vi.waitFor(() => expect(button("扫一扫")).toBeDefined(), { timeout: 15_000 });
  let answer = Promise.withResolvers<void>();
  platform = answer.promise;
  button("扫一扫")!.focus();
  await tap();
  await until(1, "/api/platforms/desk/prepare");
  expect(document.querySelector<HTMLInputElement>("#desk-scan")?.value).toBe(VOUCHER);
  answer.resolve();
  await says("可核销");
  await vi.waitFor(() => expect(button("扫一扫")!.disabled).toBe(false));
  answer = Promise.withResolvers<void>();
  platform = answer.promise;
  button(/核销 1 张/)!.click();
  await until(1, "/api/platforms/desk/verify");
  answer.resolve();
  await vi.waitFor(() => expect(button("扫一扫")!.disabled).toBe(false));
});
