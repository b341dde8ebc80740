import { afterEach, expect, test, vi } from "vitest";
import { draw } from "../../../orders/web/testing-screen.tsx";
import { MadeOf } from "./StoreDayLedger.tsx";
import { StoreDayPaper } from "./StoreDayPaper.tsx";
import type { StoreDay } from "./store-day-links.ts";

let screen: ReturnType<typeof draw> | undefined;
afterEach(() => screen?.close());
const day = (stored: { principalCents: number; giftCents: number }) =>
  ({
    storeId: "s1",
    storeName: "春熙路店",
    merchantName: "蜀味川菜",
    day: "2026-11-18",
    status: "open",
    figures: { lines: [], stored, rechargeCents: 0, invoices: { count: 0, cents: 0, redCount: 0, redCents: 0 } },
    hindrances: [],
    changes: [],
    closings: [],
    note: "",
    asOf: "2026-11-18T04:00:00.000Z",
  }) as unknown as StoreDay;

test("principal and gift that were spent are two figures, on the screen and on the sheet that two sign, and never one sum", async () => {
  const data = day({ principalCents: 10_000, giftCents: 2_000 });
  screen = draw(
    <>
      <MadeOf data={data} />
      <StoreDayPaper data={data} printedAt={0} />
    </>,
  );
  await vi.waitFor(() => expect(screen!.text()).toContain("门店日结单"));
  const figures = (names: string, values: string) =>
    Object.fromEntries(
      [...document.querySelectorAll(names)].map((one) => [one.textContent, one.parentElement!.querySelector(values)!.textContent]),
    );
  expect(figures(".stat-label", ".stat-value")).toMatchObject({ "储值消费本金（元）": "100.00", "赠送抵扣（元）": "20.00" });
  expect(figures("dt", "dd")).toMatchObject({ "储值消费本金（早已收过）": "100.00", "赠送抵扣（没有收过，不可退）": "20.00" });
  expect(screen.text()).not.toContain("120.00");
});
