import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { positiveCents } from "@zhangfang/contract/fields.ts";
import { startSession } from "../api/session.ts";
import { listen, type Seen } from "../api/testing-http.ts";
import { draw, type } from "../testing-render.tsx";
import { Field } from "./Field.tsx";
import { FormScreen } from "./FormDrawer.tsx";
import { MoneyInput, TextInput } from "./inputs.tsx";
import { useForm } from "./use-form.ts";

const refund = write({
  path: "/api/refund",
  title: "退款",
  access: "signed-in",
  idempotent: "requestId",
  input: z.object({ requestId: z.uuid(), amount: positiveCents, reason: z.string().min(1, "请填写退款原因") }),
  output: z.object({ ok: z.literal(true) }),
});
let done = 0;
function RefundForm() {
  const form = useForm(refund, { initial: { reason: "" }, draft: "order-1", onDone: () => void done++ });
  return (
    <FormScreen form={form} title="退款" submit="退款">
      <Field of={form.field("amount")} label="退款金额">
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("reason")} label="退款原因">
        {(f) => <TextInput {...f} />}
      </Field>
    </FormScreen>
  );
}

let answer: (seen: Seen) => { status?: number; body?: unknown } | Promise<{ status?: number; body?: unknown }>;
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  sessionStorage.clear();
  http = await listen((seen) => answer(seen));
  answer = () => ({ body: { ok: true } });
  done = 0;
  startSession("token");
  page = draw(<RefundForm />);
});
afterEach(async () => {
  page.end();
  await http.close();
});
const fields = () => [...page.box.querySelectorAll<HTMLInputElement>(".input")] as [HTMLInputElement, HTMLInputElement];
const press = () => page.box.querySelector<HTMLButtonElement>("button[type=submit]")!.click();
const fill = (amount: string, reason: string) => {
  type(fields()[0], amount);
  type(fields()[1], reason);
};
const errors = () => [...page.box.querySelectorAll(".field-error")].map((error) => error.textContent);

test("what the contract refuses never leaves the page, and the first mistake gets the focus", async () => {
  fill("0", "");
  press();
  await page.until(() => errors().length === 2);
  expect(errors()).toEqual(["金额须大于 0", "请填写退款原因"]);
  expect(document.activeElement).toBe(fields()[0]);
  expect(http.seen).toEqual([]);
});
test("pressed five times at once it is sent once", async () => {
  fill("29", "多收了");
  for (let times = 0; times < 5; times++) press();
  await page.until(() => done > 0);
  expect(http.seen).toHaveLength(1);
  expect(http.seen[0]?.body).toMatchObject({ amount: 2900, reason: "多收了" });
});
test("the same content goes out under the same key until it worked, other content under another", async () => {
  answer = () => ({ status: 503, body: { title: "繁忙" } });
  fill("29", "多收了");
  press();
  await page.until(() => page.box.querySelector(".form-failure"));
  press();
  await page.until(() => http.seen.length === 2 && page.box.querySelector(".form-failure"));
  fill("30", "多收了");
  answer = () => ({ body: { ok: true } });
  press();
  await page.until(() => done === 1);
  const keys = http.seen.map((seen) => (seen.body as { requestId: string }).requestId);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});
test("what the server blames stands at its field", async () => {
  answer = () => ({ status: 400, body: { title: "输入有误", fields: { amount: "最多可退 ¥10.00" } } });
  fill("29", "多收了");
  press();
  await page.until(() => errors().length === 1);
  expect(errors()).toEqual(["最多可退 ¥10.00"]);
  expect(document.activeElement).toBe(fields()[0]);
});
test("what blames a field that the form does not show is said above it", async () => {
  answer = () => ({ status: 400, body: { title: "输入有误", fields: { account: "账户已停用" } } });
  fill("29", "多收了");
  press();
  await page.until(() => page.box.querySelector(".form-failure"));
  expect([page.box.querySelector(".form-failure")?.textContent, errors()]).toEqual(["账户已停用", []]);
});
test("what was typed is there again after the page was left, and gone once it was sent", async () => {
  fill("12.5", "少找了钱");
  await page.until(() => fields()[1].value === "少找了钱");
  page.end();
  page = draw(<RefundForm />);
  expect(fields().map((field) => field.value)).toEqual(["12.50", "少找了钱"]);
  press();
  await page.until(() => done === 1);
  page.end();
  page = draw(<RefundForm />);
  expect(fields().map((field) => field.value)).toEqual(["", ""]);
});
test("a lost answer, a page that was left, and the same content again go out under the same key", async () => {
  answer = () => ({ status: 503, body: { title: "繁忙" } });
  fill("29", "多收了");
  press();
  await page.until(() => page.box.querySelector(".form-failure"));
  page.end();
  page = draw(<RefundForm />);
  answer = () => ({ body: { ok: true } });
  press();
  await page.until(() => done === 1);
  fill("29", "多收了");
  press();
  await page.until(() => done === 2);
  const keys = http.seen.map((seen) => (seen.body as { requestId: string }).requestId);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
