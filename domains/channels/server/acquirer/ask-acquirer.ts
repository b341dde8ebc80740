import { NOT_FOUND } from "../channel.ts";
import type { AcquirerAccount, ChannelAnswer, Outcome, Transport } from "../channel.ts";
import { type Fields, momentText, readerOf, readFields, type Reader, writeFields } from "./fields.ts";
import type { AcquirerMapping, FieldNames, Operation } from "./mapping.ts";
import { acquirerMappings } from "./mappings.ts";
import { signFields, verifyFields } from "./signing.ts";

const TIMEOUT_MS = 8_000;

/** What the adapter needs from outside. */
export interface Means {
  readonly transport: Transport;
  readonly now: () => Date;
  readonly nonce: () => string;
}
/** One call: which, with what in our words, which of the words for a no apply, and how to read a yes. */
export interface Call<T> {
  readonly operation: Operation;
  readonly fields: Partial<Record<keyof FieldNames, string>>;
  readonly refusals: "pay" | "close" | "refund" | "none";
  /** Undefined where the answer is not understood; that is unknown, not a no. */
  readonly read: (answer: Reader, mapping: AcquirerMapping) => T | undefined;
}

/** Signs a message in the acquirer's words, sends it, checks the answer and sorts it into yes, no and unknown. */
export async function askAcquirer<T>(means: Means, account: AcquirerAccount, call: Call<T>): Promise<Outcome<T>> {
  const mapping = acquirerMappings[account.channel];
  const { path, names } = mapping.operations[call.operation];
  const fields = wordsOf(mapping, names, {
    ...call.fields,
    merchant: account.merchantNo,
    app: account.appNo,
    nonce: means.nonce(),
    time: momentText(mapping, means.now()),
  });
  const sent: Fields = { ...mapping.constants, ...fields };
  const signed = { ...sent, [mapping.names.sign]: signFields(mapping, account.privateKey, sent) };
  let answer: ChannelAnswer;
  try {
    answer = await means.transport({
      method: "POST",
      url: account.baseUrl + path,
      headers: {
        Accept: "*/*",
        "Content-Type": mapping.encoding === "json" ? "application/json" : "application/x-www-form-urlencoded;charset=utf-8",
        "User-Agent": "zhangfang",
      },
      body: writeFields(mapping.encoding, signed),
      timeout_ms: TIMEOUT_MS,
    });
  } catch (error) {
    return unknown(`没有收到应答：${error instanceof Error ? error.message : String(error)}`);
  }
  return sortAnswer(account, mapping, answer, call);
}
function wordsOf(mapping: AcquirerMapping, names: Partial<FieldNames> | undefined, given: Call<unknown>["fields"]): Fields {
  const named: [string, string][] = [];
  for (const [name, value] of Object.entries(given) as [keyof FieldNames, string][]) {
    const theirs = names?.[name] ?? mapping.names[name];
    if (theirs !== null && value !== "") named.push([theirs, value]);
  }
  return Object.fromEntries(named);
}

function sortAnswer<T>(account: AcquirerAccount, mapping: AcquirerMapping, answer: ChannelAnswer, call: Call<T>): Outcome<T> {
  const fields = answer.status === 200 ? readFields(mapping.answers, answer.body) : undefined;
  if (!fields) return unknown(`应答内容无法识别：HTTP ${answer.status}`);
  const reader = readerOf(mapping, fields, mapping.operations[call.operation].names);
  const { words } = mapping;
  const [code, message] = [reader.text("code"), reader.text("message")];
  if (!verifyFields(mapping, account.publicKey, fields)) {
    // Whoever is not recognised may get an answer that nobody signed; a signature that is there has to hold.
    const stranger = fields[mapping.names.sign] === undefined && words.gate.includes(code);
    return stranger ? { kind: "refused", code, message } : unknown("应答验签不通过");
  }
  if (reader.text("merchant") !== account.merchantNo) return unknown("应答不属于这个商户");
  const word = code === words.ok ? reader.text("status") : code;
  if (words.absent.includes(word)) return { kind: "refused", code: NOT_FOUND, message };
  if (words.gate.includes(word) || (call.refusals !== "none" && words[call.refusals].includes(word)))
    return { kind: "refused", code: word, message };
  if (code !== words.ok) return unknown(`${code}：${message}`);
  const value = call.read(reader, mapping);
  return value === undefined ? unknown("应答内容无法识别") : { kind: "ok", value };
}

const unknown = (reason: string) => ({ kind: "unknown", reason: reason.slice(0, 500) }) as const;
