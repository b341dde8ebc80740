import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw, type } from "@zhangfang/web/testing-render.tsx";
import { listRegions } from "../../../reference/contract.ts";
import { BranchPicker } from "../fields/BranchPicker.tsx";
import { StepFields } from "../form/StepFields.tsx";
import { FillPage } from "./FillPage.tsx";

const NAME = '[data-path="account.branchName"] input:not([readonly])';
const values = {
  "account.bank": "其他银行",
  "account.area": "510100",
  "account.branchId": "313651000016",
  "account.branchName": "成都银行青羊支行",
};
const filled = {
  paths: ["account.branchId", "account.branchName"],
  values,
  versions: Object.fromEntries(Object.keys(values).map((path) => [path, 1])),
  findings: [],
  rejected: [],
};
const link = {
  ...filled,
  brandName: "锦城商务",
  merchantName: "蜀味川菜",
  steps: [5],
  micro: false,
  until: "2026-12-01T00:00:00.000Z",
  closed: null,
  regions: [],
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  http = await listen(({ method, path }) => {
    if (method === "POST") return { body: filled };
    if (path === listRegions.path) return { body: [] };
    // The list is down: the fields are opened for typing by themselves.
    return {
      body:
        path === "/api/applyment-page/one" ? link : { why: "微信支付的银行名录暂时查不到，请手填", items: [], more: 0, fetching: false },
    };
  });
});
afterEach(async () => {
  await page.until(() => answers().isFetching() === 0);
  page.end();
  await http.close();
});

test("at a link the number of a branch that was picked goes when another name is typed", async () => {
  page = draw(<FillPage token="one" />);
  type(await page.until(() => page.box.querySelector<HTMLInputElement>(NAME)), "成都银行锦江支行");
  const sent = await page.until(() => http.seen.find(({ method }) => method === "POST"));
  expect((sent.body as { changes: unknown }).changes).toEqual([
    { path: "account.branchName", value: "成都银行锦江支行", version: 1 },
    { path: "account.branchId", value: "", version: 1 },
  ]);
});
test("in the office too, but not where the number may not be changed", async () => {
  const written: (readonly unknown[])[] = [];
  const form = {
    shown: values,
    findings: [],
    masked: new Set(),
    typed: {},
    conflicts: {},
    write: (...given: unknown[]) => written.push(given),
    done: () => undefined,
  };
  const drawn = (isOpen: (path: string) => boolean) =>
    draw(
      <StepFields
        step={5}
        form={form as never}
        told={{ micro: false } as never}
        standing={{ reasons: new Map(), readOnly: false } as never}
        pictures={{ pending: [], previewOf: () => undefined } as never}
        isOpen={isOpen}
        showsMissing={() => false}
      />,
    );
  page = drawn(() => true);
  type(await page.until(() => page.box.querySelector<HTMLInputElement>(NAME)), "成都银行锦江支行");
  expect(written).toEqual([
    ["account.branchName", "成都银行锦江支行"],
    ["account.branchId", ""],
  ]);
  page.end();
  written.length = 0;
  page = drawn((path) => path !== "account.branchId");
  type(await page.until(() => page.box.querySelector<HTMLInputElement>(NAME)), "成都银行武侯支行");
  expect(written).toEqual([["account.branchName", "成都银行武侯支行"]]);
});

test("a list that is being fetched is told as that, and is there by itself when it came", async () => {
  const answer = (more: object) => ({ why: "", items: [], more: 0, fetching: false, ...more });
  let [asked, came]: [number, (() => void) | undefined] = [0, undefined];
  const banks = ({ q = "" }) =>
    q === "" || ++asked === 1
      ? Promise.resolve(answer({ fetching: q !== "" }))
      : new Promise<ReturnType<typeof answer>>((resolve) => {
          came = () => resolve(answer({ items: [{ code: "1000009580", name: "成都农村商业银行" }] }));
        });
  page = draw(
    <BranchPicker
      dossier={{ ...values, "account.type": "BANK_ACCOUNT_TYPE_CORPORATE" } as never}
      find={{ banks, branches: banks }}
      typing={false}
      onTyping={() => undefined}
      onChoose={() => undefined}
    />,
  );
  type(await page.until(() => page.box.querySelector<HTMLInputElement>("input[type=search]")), "农村");
  await page.until(() => page.box.querySelector("[role=status]")?.textContent?.includes("正在向微信支付取名录"));
  (await page.until(() => came))();
  await page.until(() => page.box.querySelector(".branches")?.textContent?.includes("成都农村商业银行"));
});
