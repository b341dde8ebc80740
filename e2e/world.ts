import { expect, type Page } from "@playwright/test";

export const PORT = Number(process.env["JOURNEY_PORT"] ?? 9310);
export const SIMULATOR_PORT = PORT + 1;
export const BASE_URL = `http://127.0.0.1:${PORT}`;
export const SIMULATOR_URL = `http://127.0.0.1:${SIMULATOR_PORT}`;
export const DEVICES_URL = `http://127.0.0.1:${PORT + 2}`;
export const PASSWORD = "Demo#2026";

/** Signs in at the page as a person would and waits for the shell. */
export async function signIn(page: Page, login: string): Promise<void> {
  await page.goto("/#/login");
  await page.getByLabel("用户名").fill(login);
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** A call to the simulator: the shop's till or the customer's phone. */
export async function simulator<T = Record<string, unknown>>(name: string, body?: object): Promise<T> {
  const answer = await fetch(
    `${SIMULATOR_URL}/${name}`,
    body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {},
  );
  const data = (await answer.json()) as T & { message?: string };
  if (!answer.ok) throw new Error(`${name}: ${data.message}`);
  return data;
}

/** Where an application stands at the simulator, whether or not anybody asked it; nothing where nobody may act on it there. */
export async function standsAt(code: string): Promise<string | undefined> {
  const { applyments } = await simulator<{ applyments: { code: string; state: string }[] }>("_control/phone");
  return applyments.find((one) => one.code === code)?.state.replace("APPLYMENT_STATE_", "");
}

/** A call to the product without a browser. */
export async function api<T = Record<string, unknown>>(
  token: string | undefined,
  verb: string,
  path: string,
  body?: object,
): Promise<{ status: number; data: T }> {
  const url = `${BASE_URL}${path}${path.includes("?") ? "&" : "?"}_t=${Math.floor(Date.now() / 1000)}`;
  const answer = await fetch(url, {
    method: verb,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, data: (await answer.json()) as T };
}

/** The token of a demo account, through the password call. */
export async function tokenOf(login: string): Promise<string> {
  const who = { username: login, password: PASSWORD, rememberMe: false };
  const { status, data } = await api<{ id_token?: string }>(undefined, "POST", "/api/authenticateNew", who);
  if (data.id_token === undefined) throw new Error(`${login} can't sign in: ${status} ${JSON.stringify(data)}`);
  return data.id_token;
}

/** Sells at a till of the first store of mch01. @param cents the amount; paid at once by a payment code */
export async function sell(cents: number, subject = "测试商品", sn = "ZF-01-1"): Promise<{ tillNo: string; orderNo: string }> {
  const authCode = `13${String(Math.floor(Math.random() * 9e15) + 1e15)}`;
  return simulator("_till/orders", { sn, cents, subject, authCode });
}

/** Pays one cent at a store's own code, as a customer does: the test cent of who was just let in at the channel. */
export async function payCent(token: string, storeId: string): Promise<void> {
  const { data: codes } = await api<{ items: { url: string }[] }>(token, "POST", "/api/pay-codes/open", { storeIds: [storeId] });
  const begun = await api<{ codeUrl: string }>(undefined, "POST", "/api/pay-codes/pay", {
    code: new URL(codes.items[0]!.url).pathname.split("/").at(-1)!,
    requestId: crypto.randomUUID(),
    amountCents: 1,
  });
  expect(begun.status, JSON.stringify(begun.data)).toBe(200);
  await simulator("_control/pay", { codeUrl: begun.data.codeUrl });
}
