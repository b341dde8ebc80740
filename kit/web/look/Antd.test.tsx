import { Activity, type ReactNode, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { RangeCalendar } from "../filter/RangeCalendar.tsx";
import { draw } from "../testing-render.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

/** A page that is left as the tabs of the shell leave it. */
function Left(): ReactNode {
  const [left, setLeft] = useState(false);
  return (
    <>
      <Activity mode={left ? "hidden" : "visible"}>
        <RangeCalendar label="支付时间" days={undefined} set={() => undefined} more={[]} />
      </Activity>
      <button type="button" onClick={() => setLeft(true)}>
        {left ? "已离开" : "离开"}
      </button>
    </>
  );
}

test("a calendar whose page was left with the focus in it is not asked where the focus went", async () => {
  const faults: unknown[] = [];
  const hear = (event: ErrorEvent): void => {
    event.preventDefault();
    faults.push(event.error);
  };
  window.addEventListener("error", hear);
  page = draw(<Left />);
  const field = await page.until(() => page.box.querySelector<HTMLInputElement>(".ant-picker input"));
  page.box.querySelector<HTMLButtonElement>(":scope > button")!.click();
  await page.until(() => page.box.textContent?.includes("已离开"));
  // A browser tells it a moment after the page is hidden.
  field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  window.removeEventListener("error", hear);
  expect(faults).toEqual([]);
});
