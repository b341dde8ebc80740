import { useState } from "react";
import { expect, test } from "vitest";
import { draw } from "../../testing-render.tsx";
import { Drawer } from "./Drawer.tsx";

function Two() {
  const [open, setOpen] = useState(["下面", "上面"]);
  return open.map((title) => (
    <Drawer key={title} title={title} onClose={() => setOpen((all) => all.filter((one) => one !== title))}>
      {title}
    </Drawer>
  ));
}
const titles = () => [...document.querySelectorAll("[role=dialog] h2")].map((one) => one.textContent);

test("Esc closes the topmost drawer alone, though what had the focus is gone", async () => {
  const page = draw(<Two />);
  await page.until(() => titles().length === 2 && document.activeElement !== document.body);
  (document.activeElement as HTMLElement).blur();
  const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  press();
  await page.until(() => titles().length === 1);
  expect(titles()).toEqual(["下面"]);
  press();
  await page.until(() => titles().length === 0);
  page.end();
});
