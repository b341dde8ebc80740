import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { readableMessage } from "./api-errors.ts";
import { address, ApiError, call, lookup } from "./api.ts";
import { closeToast, notices } from "../notify.ts";
import { endSession, session, startSession, takeReturn, TOKEN_KEY } from "./session.ts";
import { listen, type Seen } from "./testing-http.ts";

const output = z.unknown();
const getThing = read({
  path: "/api/things/:id",
  title: "t",
  access: "signed-in",
  input: z.object({ id: z.string(), kinds: z.array(z.string()).optional(), open: z.boolean().optional() }),
  output,
});
const saveThing = write({ path: "/api/things", title: "t", access: "signed-in", input: z.object({ name: z.string() }), output });
const legacy = read({ path: "/auth/legacy", title: "t", access: "signed-in", envelope: "code-data", input: z.object({}), output });
const facade = read({
  path: "/sfpfacadeservicepc/api/x",
  title: "t",
  access: "signed-in",
  envelope: "status-data",
  input: z.object({}),
  output,
});
const signIn = write({ path: "/api/authenticateNew", title: "t", access: "public", envelope: "bare", input: z.object({}), output });

let answer: (seen: Seen) => { status?: number; headers?: Record<string, string>; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  http = await listen((seen) => answer(seen));
  answer = () => ({ body: { ok: true } });
  startSession("token-1");
  location.hash = "#/store/store?id=7";
});
afterEach(async () => {
  await http.close();
  for (const toast of notices.read().toasts) closeToast(toast.id);
  endSession();
});
const toasts = () => notices.read().toasts.map((toast) => toast.text);
const failure = async (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.unreachable(),
    (reason: unknown) => reason as ApiError,
  );

describe("a request (spec.md section 7)", () => {
  test("fills the path, joins arrays with commas, and carries _t in seconds and the token", async () => {
    await call(getThing, { id: "a/b", kinds: ["x", "y"], open: false });
    const [seen] = http.seen;
    expect(seen?.path).toBe("/api/things/a%2Fb");
    expect(seen?.query.get("kinds")).toBe("x,y");
    expect(seen?.query.get("open")).toBe("false");
    expect(Math.abs(Number(seen?.query.get("_t")) - Date.now() / 1000)).toBeLessThan(5);
    expect(seen?.headers.authorization).toBe("Bearer token-1");
  });
  test("sends cookies along", async () => {
    document.cookie = "zf_of_page=7";
    await call(getThing, { id: "a" });
    expect(http.seen[0]?.headers.cookie).toContain("zf_of_page=7");
  });
  test("one that tells how far it is ends as every other: with its answer, its refusal at the field, or none", async () => {
    const shares: number[] = [];
    const send = () => call(saveThing, { name: "n".repeat(10_000) }, { form: true, onSent: (share) => shares.push(share) });
    answer = () => ({ body: { id: "7" } });
    expect(await send()).toEqual({ id: "7" });
    expect(http.seen[0]).toMatchObject({
      method: "POST",
      body: { name: "n".repeat(10_000) },
      headers: { authorization: "Bearer token-1" },
    });
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true);
    answer = () => ({ status: 400, body: { message: "名称过长", fieldErrors: [{ field: "name", message: "名称过长" }] } });
    expect((await failure(send())).status).toBe(400);
    await http.close();
    expect((await failure(send())).kind).toBe("network");
    http = await listen((seen) => answer(seen));
  });
  test("a write sends its input as JSON and still has _t in the query", async () => {
    await call(saveThing, { name: "店" });
    expect(http.seen[0]).toMatchObject({ method: "POST", body: { name: "店" } });
    expect(http.seen[0]?.query.has("_t")).toBe(true);
  });
  test("without a token there is no Authorization header", async () => {
    endSession();
    await call(signIn, {});
    expect(http.seen[0]?.headers.authorization).toBeUndefined();
  });
  test("what is empty stays out of the query; a body travels with `both` as well", () => {
    expect(address({ path: "/x", source: "query" }, { a: "", b: null, c: undefined, d: 0 }, 1_700_000_000_999).url).toBe(
      "/x?d=0&_t=1700000000",
    );
    expect(address({ path: "/x/:id", source: "both" }, { id: 1, a: 2 }, 0)).toEqual({ url: "/x/1?a=2&_t=0", body: '{"a":2}' });
  });
});

describe("the error catalogue (spec.md section 8)", () => {
  test("a 404 says nothing on the screen: a lookup has no answer, a call rejects as not found", async () => {
    answer = () => ({ status: 404, body: { title: "没有" } });
    expect(await lookup(getThing, { id: "1" })).toBeUndefined();
    expect((await failure(call(getThing, { id: "1" }))).kind).toBe("not-found");
    expect(toasts()).toEqual([]);
  });
  test("a duplicate user is told in its own words", async () => {
    answer = () => ({ status: 400, headers: { "x-app-error": "error.userexists" } });
    await failure(call(saveThing, { name: "a" }));
    expect(toasts()).toEqual(["账号已存在，请更换登录名"]);
  });
  test("otherwise the message is taken from the error-title header", async () => {
    answer = () => ({ status: 400, headers: { "x-app-error-title": encodeURIComponent("登录名格式不正确") }, body: { title: "x" } });
    await failure(call(saveThing, { name: "a" }));
    expect(toasts()).toEqual(["登录名格式不正确"]);
  });
  test.each([
    [{ title: "库存不足", message: "m", msg: "s" }, "请求错误: 库存不足"],
    [{ message: "库存不足", msg: "s" }, "请求错误: 库存不足"],
    [{ msg: "库存不足" }, "请求错误: 库存不足"],
    [{ msg: '{"message":"库存不足"}' }, "请求错误: 库存不足"],
    [{ message: "Internal Server Error" }, "请求错误: 服务器内部错误"],
  ])("%j is shown as %s", async (body, shown) => {
    answer = () => ({ status: 500, body });
    await failure(call(saveThing, { name: "a" }));
    expect(toasts()).toEqual([shown]);
  });
  test("such a message stays for five seconds", async () => {
    answer = () => ({ status: 500, body: { title: "库存不足" } });
    const waits = vi.spyOn(globalThis, "setTimeout");
    await failure(call(saveThing, { name: "a" }));
    const [last] = waits.mock.calls.flatMap(([act, ms]) => (ms === 5000 ? [act] : []));
    waits.mockRestore();
    expect(toasts()).toEqual(["请求错误: 库存不足"]);
    last!();
    expect(toasts()).toEqual([]);
  });
  test("no toast on the login calls, and their 401 ends no session", async () => {
    answer = () => ({ status: 401, body: { title: "用户名或密码错误" } });
    expect((await failure(call(signIn, {}))).message).toBe("用户名或密码错误");
    expect(toasts()).toEqual([]);
    expect(session().token).toBe("token-1");
  });
  test("code-data succeeds with 1 and unwraps; any other code is a failure with its msg", async () => {
    answer = () => ({ body: { code: 1, data: [1, 2], msg: "" } });
    expect(await call(legacy, {})).toEqual([1, 2]);
    answer = () => ({ body: { code: 0, data: null, msg: "不允许" } });
    expect((await failure(call(legacy, {}))).message).toBe("不允许");
  });
  test("status-data succeeds with 2xx; a failure shows msg plus code, or 未知错误", async () => {
    answer = () => ({ body: { code: 200, data: "jwt", msg: "" } });
    expect(await call(facade, {})).toBe("jwt");
    answer = () => ({ body: { code: 403, msg: "无权访问" } });
    await failure(call(facade, {}));
    answer = () => ({ body: { code: 500 } });
    await failure(call(facade, {}));
    expect(toasts()).toEqual(["无权访问 403", "未知错误"]);
  });
  test("blamed fields go to the form, without a toast", async () => {
    answer = () => ({ status: 400, body: { title: "输入有误", fields: { name: "已被使用" }, traceId: "t-1" } });
    expect(await failure(call(saveThing, { name: "a" }, { form: true }))).toMatchObject({ fields: { name: "已被使用" }, traceId: "t-1" });
    expect(toasts()).toEqual([]);
  });
  test("a broken connection is told in words, and a write warns that its outcome is unknown", async () => {
    await http.close();
    expect((await failure(call(saveThing, { name: "a" }))).kind).toBe("network");
    expect(toasts()[0]).toContain("结果未知");
  });
  test("a msg that only looks like JSON is shown as it came", () => expect(readableMessage("{oops")).toBe("{oops"));
});

describe("one session at a time", () => {
  test("nothing is sent when another tab changed the token, and the tab is frozen", async () => {
    localStorage.setItem(TOKEN_KEY, "somebody-else");
    expect((await failure(call(saveThing, { name: "a" }))).kind).toBe("frozen");
    expect(http.seen).toEqual([]);
    expect(session().frozen).toBe("changed");
    startSession("token-2");
  });
  test("an answer to the last session's question is given to nobody", async () => {
    answer = () => {
      startSession("token-2");
      return { body: { secret: 1 } };
    };
    expect((await failure(call(getThing, { id: "1" }))).kind).toBe("frozen");
  });
  test("a 401 says so once, forgets the token, goes to the login page and remembers the way back", async () => {
    // As our server says it, with the refusal's name in a header.
    answer = () => ({ status: 401, body: { title: "未登录" }, headers: { "x-app-error-title": encodeURIComponent("未登录") } });
    await Promise.all([failure(call(getThing, { id: "1" })), failure(call(getThing, { id: "2" }))]);
    expect(toasts()).toEqual(["登录已过期，请重新登录！"]);
    expect(session().token).toBeNull();
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
    expect(location.hash).toBe("#/login");
    expect(takeReturn()).toBe("#/store/store?id=7");
  });
});
