import { afterEach, expect, test, vi } from "vitest";
import { OrgPicker } from "../filter/OrgFilter.tsx";
import { registerOrgLookups } from "../slots.ts";
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
  box.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
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
test("what a level answered is kept for a session, for each wider choice apart, and a failure is no answer", async () => {
  const asked: (string | undefined)[] = [];
  let fails = true;
  registerOrgLookups({
    merchantId: ({ within }) => {
      asked.push(within.serviceProviderId);
      return fails ? Promise.reject(new Error("away")) : Promise.resolve([{ id: "m1", name: "老成都面馆" }]);
    },
  });
  const open = async (serviceProviderId: string, times: number): Promise<void> => {
    page.end();
    page = draw(<OrgPicker level="merchantId" within={{ serviceProviderId }} />);
    page.box.querySelector(".ant-select")!.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    await page.until(() => asked.length === times);
    if (!fails) await page.until(() => document.querySelector(".ant-select-item-option")?.textContent === "老成都面馆");
  };
  page = draw(null);
  await open("s1", 1);
  fails = false;
  await open("s1", 2);
  await open("s1", 2);
  await open("s2", 3);
  await open("s1", 3);
  expect(asked).toEqual(["s1", "s1", "s2"]);
});
test("letters that come before the field is there are searched for, and Enter does not send the form", async () => {
  vi.resetModules();
  const { Select: Fresh } = await import("./Select.tsx");
  const sent = vi.fn<(event: unknown) => void>();
  const options = ["chunxi", "wangjiang"].map((label) => ({ value: label, label }));
  page = draw(
    <form onSubmit={sent}>
      <Fresh aria-label="门店" showSearch={{ optionFilterProp: "label" }} options={options} />
    </form>,
  );
  const field = page.box.querySelector<HTMLInputElement>("[role=combobox]")!;
  expect(field.readOnly).toBe(true);
  field.focus();
  // What stands in its place shows the focus as it does itself.
  await Promise.resolve();
  expect(field.closest(".ant-select")?.className).toContain("ant-select-focused");
  const press = (key: string) => field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  for (const key of ["w", "a"]) press(key);
  expect(press("Enter")).toBe(false);
  const real = await page.until(() => page.box.querySelector<HTMLInputElement>("[role=combobox][aria-expanded=true]"));
  await page.until(() => real.value === "wa");
  await page.until(() => [...document.querySelectorAll(".ant-select-item-option")].map((one) => one.textContent).join() === "wangjiang");
  expect(sent).not.toHaveBeenCalled();
});
