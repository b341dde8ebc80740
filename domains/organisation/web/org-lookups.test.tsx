import { afterEach, beforeEach, expect, test } from "vitest";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { findMerchants } from "./org-lookups.ts";

let answer: { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  http = await listen(() => answer);
  startSession("token");
});
afterEach(() => http.close());
const find = () => findMerchants({ search: "", within: {} }, new AbortController().signal);

test("a list of merchants that fails or is empty of an answer rejects the lookup; one of nobody is an answer (spec 8)", async () => {
  answer = { status: 500, body: { title: "忙" } };
  await expect(find()).rejects.toThrow("忙");
  answer = { body: null };
  await expect(find()).rejects.toThrow();
  answer = { body: [] };
  expect(await find()).toEqual([]);
});
