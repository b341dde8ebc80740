import { afterEach, expect, test } from "vitest";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useSpan } from "../list/address/use-span.ts";
import { draw } from "../testing-render.tsx";
import { daysAgo } from "./day-shortcuts.ts";
import { SpanFilter } from "./SpanFilter.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

function Figures() {
  return <SpanFilter span={useSpan()} label="核销日" choices={[{ name: "platform", label: "平台", set: labelled({ dy: "抖音" }) }]} />;
}

test("figures that count today say that the last days end with it", () => {
  page = draw(<Figures />);
  expect(page.box.textContent).toContain("近 7、30 天含今天");
});
test("a shortcut is one step: Back gives the days that stood before, never half of two choices", async () => {
  const before = `#/figures?from=${daysAgo(40)}&to=${daysAgo(35)}`;
  location.hash = before;
  page = draw(<Figures />);
  const steps = history.length;
  const yesterday = [...page.box.querySelectorAll("button")].find(({ textContent }) => textContent === "昨天");
  yesterday!.click();
  await page.until(() => location.hash === `#/figures?from=${daysAgo(1)}&to=${daysAgo(1)}`);
  expect(history.length).toBe(steps + 1);
});
