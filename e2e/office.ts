import { expect } from "@playwright/test";
import { sharedToken } from "./journey.ts";
import { api } from "./world.ts";

/** Does something in the back-office of mch01, and expects that it is done. */
export async function office<T>(path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken("mch01"), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
const APPROVES = ["/activity/centre", "/activity/centre/audit", "/activity/new", "/merchantTicket/list", "/merchantTicket/list/audit"];
/** Somebody else of the same merchant, who may look at activities and coupons and approve them, or hold what is named, and no more: their session. */
export async function anotherToken(items: readonly string[] = APPROVES): Promise<string> {
  const login = `activities${Date.now() % 1_000_000}.mch01`;
  const { id: positionId } = await office<{ id: string }>("/api/positions/add", {
    requestId: crypto.randomUUID(),
    name: `活动审核员 ${login}`,
    items,
  });
  const { password } = await office<{ password: string }>("/api/users/add", { login, firstName: "审核小王", level: "MCH", positionId });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  return data.id_token;
}
/** The page of mch01's members. */
export async function memberPage(): Promise<string> {
  const { data } = await api<{ merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  return `/m/${data[0]!.merchants.id}`;
}
