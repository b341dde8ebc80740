import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ControlError } from "../control.ts";
import { bag, text } from "../reply.ts";
import type { Bag } from "../reply.ts";

interface Till {
  readonly sn: string;
  readonly key: string;
  readonly store: string;
  readonly merchant: string;
}
interface TillBook {
  /** Where the product listens. */
  readonly api: string;
  readonly tills: readonly Till[];
}
const ANSWER_MS = 20_000;

export interface Tills {
  /** The calls under /_till, by verb and name. */
  readonly actions: Readonly<Record<string, (given: Bag, url: URL) => Promise<object>>>;
}

/**
 * Plays the shops' tills of the demo: signs the product's device API with the keys that the demo world left in tills.json.
 */
export function openTills(directory: string): Tills {
  const read = (): TillBook | undefined => {
    const path = join(directory, "tills.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as TillBook) : undefined;
  };
  const find = (given: Bag): { api: string; till: Till } => {
    const book = read();
    const till = book?.tills.find((one) => one.sn === text(given["sn"]));
    if (!book || !till) throw new ControlError("没有这台设备");
    return { api: book.api, till };
  };
  const call = async (given: Bag, verb: string, path: string, body?: object) => {
    const { api, till } = find(given);
    return ask(api, till, verb, path, body);
  };
  return {
    actions: {
      "GET tills": async () => ({ tills: (read()?.tills ?? []).map(({ sn, store, merchant }) => ({ sn, store, merchant })) }),
      "POST orders": (given) =>
        call(given, "POST", "/api/till/orders", {
          tillNo: `T${Date.now()}${randomBytes(3).toString("hex")}`,
          tradeType: given["authCode"] ? "MICROPAY" : "NATIVE",
          subject: text(given["subject"]) || "收银",
          grossCents: given["cents"],
          ...(given["authCode"] ? { authCode: given["authCode"] } : {}),
          ...(given["wallet"] && !given["authCode"] ? { wallet: given["wallet"] } : {}),
        }),
      // Any other call of a till: the body goes as it is.
      "POST device": (given) => call(given, "POST", text(given["path"]), given["body"] as object),
      "GET order": (_given, url) =>
        call(Object.fromEntries(url.searchParams), "GET", `/api/till/orders/${encodeURIComponent(url.searchParams.get("tillNo") ?? "")}`),
      "GET catalog": (_given, url) => call(Object.fromEntries(url.searchParams), "GET", `/api/till/catalog${queryOf(url, "cursor")}`),
      "GET recharge-rules": (_given, url) =>
        call(Object.fromEntries(url.searchParams), "GET", `/api/till/recharge-rules${queryOf(url, "ticket")}`),
      "POST close": (given) => call(given, "POST", "/api/till/orders/close", { tillNo: given["tillNo"] }),
      "POST refund": (given) =>
        call(given, "POST", "/api/till/refunds", {
          requestId: randomUUID(),
          tillNo: given["tillNo"],
          amountCents: given["cents"],
          reason: text(given["reason"]) || "顾客退货",
        }),
    },
  };
}

const queryOf = (url: URL, name: string): string => {
  const given = url.searchParams.get(name);
  return given ? `?${name}=${encodeURIComponent(given)}` : "";
};

/** One signed call of a device (product's README, 收银接口). */
async function ask(api: string, till: Till, verb: string, path: string, body?: object): Promise<object> {
  const sent = body ? JSON.stringify(body) : "";
  const url = `${path}${path.includes("?") ? "&" : "?"}_t=${Math.floor(Date.now() / 1000)}`;
  const timestamp = String(Date.now());
  const nonce = randomBytes(16).toString("hex");
  const digest = createHash("sha256").update(sent).digest("hex");
  const signature = createHmac("sha256", till.key).update(`${verb}\n${url}\n${timestamp}\n${nonce}\n${digest}\n`).digest("hex");
  const headers = {
    "x-device-sn": till.sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    ...(sent && { "content-type": "application/json" }),
  };
  const answer = await fetch(`${api}${url}`, {
    method: verb,
    headers,
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(sent && { body: sent }),
  });
  const data = (await answer.json()) as object;
  if (!answer.ok) throw new ControlError(text(bag(data)["message"]) || `应答 ${answer.status}`, answer.status === 503 ? 503 : 400);
  return data;
}
