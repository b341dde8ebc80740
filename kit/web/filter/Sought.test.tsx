import { afterEach, expect, test } from "vitest";
import { Field } from "../form/Field.tsx";
import { draw } from "../testing-render.tsx";
import { OrgPicker } from "./OrgFilter.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());
const inputOf = () => page.box.querySelector<HTMLInputElement>("input[role=combobox]")!;

test("in a form it is called what stands over it, and is tied to what is said of it", () => {
  page = draw(
    <Field<string> of={{ name: "storeId", value: undefined, error: "请选择门店", set: () => {} }} label="映射门店" help="留空则待映射">
      {(f) => <OrgPicker {...f} level="storeId" />}
    </Field>,
  );
  expect([...(inputOf().labels ?? [])].map(({ textContent }) => textContent)).toEqual(["映射门店"]);
  expect(inputOf().getAttribute("aria-label")).toBe(null);
  expect(inputOf().getAttribute("aria-invalid")).toBe("true");
  const said = inputOf().getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(said.map((id) => document.querySelector(`[id="${id}"]`)?.textContent)).toEqual(["请选择门店", "留空则待映射"]);
});

test("without a label over it, it names itself", () => {
  page = draw(<OrgPicker level="storeId" />);
  expect(inputOf().getAttribute("aria-label")).toBe("门店");
});
