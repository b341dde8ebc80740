import { type ReactNode, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { draw, type } from "../../testing-render.tsx";
import { ClockInput, DayInput, MomentInput } from "./DayInput.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

/** What the form has, beside its field. */
function Held<T>({ from, children }: { from: T; children: (value: T, set: (value: T) => void) => ReactNode }): ReactNode {
  const [value, set] = useState(from);
  return (
    <>
      {children(value, set)}
      <output>{JSON.stringify(value ?? null)}</output>
    </>
  );
}
const field = () => page.box.querySelector<HTMLInputElement>("input")!;
const has = () => page.until(() => page.box.querySelector("output")?.textContent).then((text) => JSON.parse(text) as unknown);
async function typed(text: string): Promise<unknown> {
  field().focus();
  type(field(), text);
  return has();
}
async function left(): Promise<unknown[]> {
  field().blur();
  await new Promise((resolve) => setTimeout(resolve));
  return [await has(), field().value];
}
const day = () => (
  <Held<string | null | undefined> from={null}>{(value, set) => <DayInput value={value} onChange={set} aria-label="开始日期" />}</Held>
);

test("a day is typed as people write it, and stands as a day once it is left", async () => {
  page = draw(day());
  expect([await typed("20261120"), field().value]).toEqual(["2026-11-20", "20261120"]);
  expect(await left()).toEqual(["2026-11-20", "2026-11-20"]);
  expect(await typed("2026/1/5")).toBe(null);
  expect(await left()).toEqual(["2026-01-05", "2026-01-05"]);
});
test("what is no day is nothing in the form, and does not stay on the page as if it were", async () => {
  page = draw(day());
  await typed("2026-11-20");
  expect([await typed("2026-02-30"), field().value]).toEqual([null, "2026-02-30"]);
  expect(await left()).toEqual([null, ""]);
});
test("a moment is kept as an instant of Shanghai, a time of day as it is", async () => {
  page = draw(
    <Held<string | null | undefined> from="2026-12-01T02:00:00.000Z">{(at, set) => <MomentInput value={at} onChange={set} />}</Held>,
  );
  expect(field().value).toBe("2026-12-01 10:00");
  await typed("2026-12-01 9");
  expect(await left()).toEqual(["2026-12-01T01:00:00.000Z", "2026-12-01 09:00"]);
  page.end();
  page = draw(<Held<string | undefined> from="">{(at, set) => <ClockInput value={at} onChange={set} />}</Held>);
  await typed("930");
  expect(await left()).toEqual(["09:30", "09:30"]);
});
test("what is picked after something was typed stands, and who goes on to another field stays there", async () => {
  page = draw(
    <>
      {day()}
      <button type="button">下一步</button>
    </>,
  );
  await typed("2026-11-20");
  field().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  (await page.until(() => document.querySelector<HTMLElement>(".ant-picker-cell[title='2026-11-23']"))).click();
  [...page.box.querySelectorAll("button")].find((one) => one.textContent === "下一步")!.focus();
  await page.until(() => !page.box.querySelector(".ant-picker"));
  await new Promise((resolve) => setTimeout(resolve));
  expect([await has(), field().value, document.activeElement?.textContent]).toEqual(["2026-11-23", "2026-11-23", "下一步"]);
});
test("a calendar takes the place of the field until a day is picked, and gives the focus back", async () => {
  page = draw(day());
  await typed("2026-11-20");
  await left();
  page.box.querySelector<HTMLButtonElement>("[aria-label=挑一天]")!.click();
  const cell = await page.until(() => document.querySelector<HTMLElement>(".ant-picker-cell[title='2026-11-23']"));
  expect(field().getAttribute("aria-label")).toBe("开始日期");
  cell.click();
  await page.until(() => !page.box.querySelector(".ant-picker"));
  expect(await has()).toBe("2026-11-23");
  await page.until(() => document.activeElement === field());
});
