import { sm2 } from "sm-crypto-v2";
import { canonical, holds, rsa2 } from "../alipay/sign.ts";
import { moment, yuan } from "../alipay/trades.ts";
import type { PlatformKeys } from "../keys.ts";
import { bag } from "../reply.ts";
import type { Dialect, Merchant } from "../state.ts";

export type Message = Readonly<Record<string, string>>;

/** What a message of this dialect is called: the general names, and those of one call. */
export const namer =
  (dialect: Dialect, own: Readonly<Record<string, string | null>> = {}) =>
  (name: string): string =>
    own[name] ?? dialect.names[name] ?? "";

export function parse(encoding: "json" | "form", body: string): Message {
  if (encoding === "form") return Object.fromEntries(new URLSearchParams(body));
  try {
    return Object.fromEntries(Object.entries(bag(JSON.parse(body))).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
export const write = (encoding: "json" | "form", message: Message): string =>
  encoding === "form" ? new URLSearchParams(message).toString() : JSON.stringify(message);

export async function signed(dialect: Dialect, keys: PlatformKeys, message: Message, forged = false): Promise<Message> {
  const sign = namer(dialect)("sign");
  const text = `${canonical(message, [sign])}${forged ? " " : ""}`;
  const { algorithm, spelling, userId } = dialect.signing;
  if (algorithm === "RSA-SHA256")
    return { ...message, [sign]: Buffer.from(await rsa2(keys.publicKey.privateKeyPem, text), "base64").toString(spelling) };
  const hex = sm2.doSignature(text, keys.sm2.privateKey, { hash: true, der: spelling === "base64", userId });
  return { ...message, [sign]: spelling === "hex" ? hex : Buffer.from(hex, "hex").toString("base64") };
}
export function genuine({ publicKeyPem }: Merchant, dialect: Dialect, message: Message): boolean {
  const sign = namer(dialect)("sign");
  const text = canonical(message, [sign]);
  const { algorithm, spelling, userId } = dialect.signing;
  const given = Buffer.from(message[sign] ?? "", spelling);
  if (given.length === 0) return false;
  if (algorithm === "RSA-SHA256") return holds(publicKeyPem, text, given.toString("base64"));
  try {
    return sm2.doVerifySignature(text, given.toString("hex"), publicKeyPem, { hash: true, der: spelling === "base64", userId });
  } catch {
    return false;
  }
}

export const amount = (dialect: Dialect, cents: number): string => (dialect.amounts === "cents" ? String(cents) : yuan(cents));
export function cents(dialect: Dialect, given: string | undefined): number | undefined {
  const match = /^(\d{1,11})(?:\.(\d\d))?$/.exec(given ?? "");
  if (!match || (dialect.amounts === "cents") !== (match[2] === undefined)) return undefined;
  return dialect.amounts === "cents" ? Number(match[1]) : Number(match[1]) * 100 + Number(match[2]);
}
export const time = (dialect: Dialect, at: number): string =>
  dialect.moment === "yyyyMMddHHmmss" ? moment(at).replaceAll(/\D/g, "") : moment(at);
/** The acquirer's word for a state of ours. */
export const wordOf = (states: Readonly<Record<string, string>>, state: string): string =>
  Object.entries(states).find(([, one]) => one === state)?.[0] ?? "";
export function wordsOf(dialect: Dialect, kind: string, n: number): string {
  const words = dialect.words[kind];
  return typeof words === "string" ? words : (words?.[n] ?? words?.at(-1) ?? "ERROR");
}
