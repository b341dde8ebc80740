import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { draw, type } from "../testing-render.tsx";
import { Keyword } from "./Keyword.tsx";

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

function Sought() {
  const [value, set] = useState<string>();
  return (
    <>
      <Keyword of={{ name: "keyword", value, set }} label="门店" />
      <output>{value ?? "nothing"}</output>
    </>
  );
}
function enter(field: HTMLInputElement, more: object = {}): void {
  const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
  for (const [name, given] of Object.entries(more)) Object.defineProperty(event, name, { value: given });
  field.dispatchEvent(event);
}

test("the Enter that ends what an input method composes asks for nothing yet", async () => {
  page = draw(<Sought />);
  const field = page.box.querySelector("input")!;
  const said = () => page.box.querySelector("output")!.textContent;
  type(field, "hong qiao");
  enter(field, { isComposing: true });
  enter(field, { keyCode: 229 });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(said()).toBe("nothing");
  type(field, "虹桥");
  enter(field);
  await page.until(() => said() === "虹桥");
});
