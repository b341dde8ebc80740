import { afterEach, expect, test, vi } from "vitest";
import { draw } from "../testing-render.tsx";
import { Select } from "./Select.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

test("something that looks the same stands until it is touched; then the list opens, under the focus", async () => {
  const opened = vi.fn<(open: boolean) => void>();
  const options = [
    { value: "1", label: "春熙路店" },
    { value: "2", label: "望江楼店" },
  ];
  page = draw(<Select aria-label="门店" options={options} value="2" onOpenChange={opened} />);
  const box = page.box.querySelector(".ant-select")!;
  const classes = box.className.split(" ").toSorted();
  const field = page.box.querySelector<HTMLInputElement>("[role=combobox]")!;
  expect([field.getAttribute("aria-label"), field.readOnly, box.textContent]).toEqual(["门店", true, "望江楼店"]);
  box.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  const real = await page.until(() => page.box.querySelector<HTMLInputElement>("[role=combobox][aria-expanded=true]"));
  expect(real).not.toBe(field);
  expect(opened).toHaveBeenCalledWith(true);
  await page.until(() => document.activeElement === real);
  await page.until(() => [...document.querySelectorAll(".ant-select-item-option")].some((option) => option.textContent === "春熙路店"));
  const now = page.box.querySelector(".ant-select")!.className.split(" ");
  // The sheet that is there from the beginning draws both alike.
  expect(classes.filter((name) => !now.includes(name))).toEqual([]);
  // From now on each is drawn as itself at once.
  page.end();
  page = draw(<Select aria-label="门店" options={options} placeholder="全部" />);
  expect(page.box.querySelector(".ant-select-placeholder")?.textContent).toBe("全部");
});
