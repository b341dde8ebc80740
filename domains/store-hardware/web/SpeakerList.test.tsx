import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { draw } from "../../orders/web/testing-screen.tsx";
import type { listSpeakers } from "../contract/index.ts";
import { SpeakerList } from "./SpeakerList.tsx";

type Row = OutputOf<typeof listSpeakers>["items"][number];
let rows: readonly unknown[];
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  http = await listen(() => ({ body: { items: rows, next: null, total: { count: rows.length, more: false } } }));
});
afterEach(async () => {
  screen?.close();
  await http.close();
});
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const speaker = (id: string, name: string, lastStatus: Row["lastStatus"], lastAt: string | null) => ({
  id,
  name,
  sn: `SN${id}`,
  storeId: "1",
  storeName: "店",
  onPayment: true,
  onRefund: false,
  merchantOff: false,
  lastStatus,
  lastAt,
  lastMessage: null,
  version: 1,
  createdAt: ago(900),
  vendor: "borui",
  volume: 80,
  protocol: 1,
});
/** What a row's cell under a heading says. */
function cell(name: string, heading: string): string | undefined {
  const at = [...document.querySelectorAll("thead th")].findIndex(({ textContent }) => textContent?.includes(heading));
  const row = [...document.querySelectorAll("tbody tr")].find(({ textContent }) => textContent?.includes(name));
  return row?.children[at]?.textContent ?? undefined;
}

test("what is said of a speaker is what became of its last announcement, with its time; a day later it is unknown", async () => {
  const [took, not] = [ago(1), ago(2)];
  rows = [
    speaker("1", "刚播过", 2, took),
    speaker("2", "被拒绝", 3, not),
    speaker("3", "三周前", 2, ago(500)),
    speaker("4", "早已失败", 3, ago(30)),
    speaker("5", "没播过", null, null),
    speaker("6", "没有回音", 4, ago(1)),
  ];
  screen = draw(<SpeakerList />);
  await vi.waitFor(() => expect(cell("没有回音", "在线推断")).toBe("未知"), { timeout: 10_000 });
  expect(["刚播过", "被拒绝", "三周前", "早已失败", "没播过"].map((name) => cell(name, "在线推断"))).toEqual([
    "上次送达",
    "上次未送达",
    "未知",
    "未知",
    "未知",
  ]);
  expect(cell("刚播过", "上次时间")).toContain(shanghaiTime(took).slice(5, 16));
  expect(cell("被拒绝", "上次时间")).toContain(shanghaiTime(not).slice(5, 16));
  expect(screen.text()).not.toMatch(/在线$|离线/);
});
