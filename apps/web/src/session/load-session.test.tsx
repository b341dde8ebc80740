import { afterEach, beforeEach, expect, test } from "vitest";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { loadSession } from "./load-session.ts";

const ACCOUNT = { id: "u1", login: "mch01", rootLogin: "mch01", firstName: "周掌柜", authorities: ["ROLE_Merchants"], actingFor: null };
const body = ({ path }: Seen): object =>
  path === "/api/account"
    ? ACCOUNT
    : path === "/auth/api/auth/user_item"
      ? { code: 1, msg: "", data: [{ id: 1, name: "商户概览", path: "/", type: "menu", para: { component: "overview" } }] }
      : {};
let http: Awaited<ReturnType<typeof listen>>;
let hold: (seen: Seen) => Promise<void>;
beforeEach(async () => {
  hold = async () => {};
  http = await listen(async (seen) => {
    await hold(seen);
    return { body: body(seen) };
  });
  startSession("token");
});
afterEach(() => http.close());

test("who is signed in and what they may do are asked for together: neither waits for the other (spec 4)", async () => {
  const both = ["/api/account", "/auth/api/auth/user_item"];
  const asked = new Set<string>();
  let go = () => {};
  const all = new Promise<void>((resolve) => (go = resolve));
  // Nobody is answered before both were asked.
  hold = async ({ path }) => {
    asked.add(path);
    if (both.every((one) => asked.has(one))) go();
    await all;
  };
  const { user, firstPage } = await loadSession();
  expect([user.level, user.name, firstPage]).toEqual(["MCH", "周掌柜", "/"]);
});
