import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Console } from "../control.ts";
import { REQUEST_FAULTS, takeFault } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Desk } from "../reply.ts";
import type { Dialect, Merchant } from "../state.ts";
import { genuine, namer, parse, signed, wordsOf, write, type Message } from "./dialect.ts";
import { close, full, place, query, queryRefund, refund, type Said } from "./rules.ts";

const WORDS: Readonly<Record<string, string>> = {
  code: "pay",
  page: "pay",
  micropay: "pay",
  query: "query",
  close: "close",
  refund: "refund",
  queryRefund: "query-refund",
};

/** /acquirer/<channel><path>: a signed message in the acquirer's dialect, and an answer in the same. */
export async function answerAcquirer(
  console: Console,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const [, channel = "", path = ""] = /^\/acquirer\/(\d)(\/.+)$/.exec(url.pathname) ?? [];
  const there = [...console.state.merchants.values()].filter(({ acquirer }) => acquirer?.channel === Number(channel));
  const dialect = there[0]?.acquirer?.mapping;
  if (!dialect) return void response.writeHead(404).end();
  const message = parse(dialect.encoding, body);
  const merchant = there.find(({ acquirer }) => acquirer?.merchantNo === message[namer(dialect)("merchant")]);
  const operation = operationOf(dialect, path, message);
  if (!operation) return void response.writeHead(404).end();
  const send = (text: string) => void response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
  const name = namer(dialect, dialect.operations[operation]?.names);
  // Whoever cannot be recognised gets an answer without a signature.
  if (!merchant || !genuine(merchant, dialect, message))
    return send(write(dialect.answers, full({ [name("code")]: wordsOf(dialect, "gate", 0), [name("message")]: "验签失败" })));
  const given = (field: string) => message[name(field)] ?? "";
  const fault = takeFault(
    console.faults,
    REQUEST_FAULTS,
    WORDS[operation] ?? "",
    operation.toLowerCase().includes("refund") ? given("refund") : given("order"),
  );
  if (fault?.kind === "slow") await wait(fault.delay_ms);
  if (fault?.kind === "lost-request") return void request.socket.destroy();
  const instead = fault && insteadOf(fault);
  const said = instead && !fault.kind.endsWith("-done") ? instead : act(console.desk(merchant), dialect, operation, given);
  if (fault?.kind === "lost-reply") return void request.socket.destroy();
  if (fault?.kind.startsWith("error-500")) return void response.writeHead(500).end();
  const answer = full(spoken(dialect, merchant, name, instead ?? said));
  const sealed =
    fault?.kind === "unsigned-answer" ? answer : await signed(dialect, console.keys(), answer, fault?.kind === "forged-answer");
  const text = write(dialect.answers, sealed);
  send(fault?.kind === "garbled-answer" ? text.slice(0, -2) : text);
}

/** Several calls may share an address: the way of paying, and the refund's number, tell them apart. */
function operationOf(dialect: Dialect, path: string, message: Message): string | undefined {
  const found = Object.keys(dialect.operations).filter((one) => dialect.operations[one]?.path === path);
  if (found.length < 2) return found[0];
  const has = (operation: string, field: string) => Boolean(message[namer(dialect, dialect.operations[operation]?.names)(field)]);
  if (found.includes("page")) {
    const word = message[namer(dialect)("way")];
    return Object.values(dialect.ways).some(({ JSAPI }) => JSAPI === word) ? "page" : "code";
  }
  return found.find((one) => one === "queryRefund" && has(one, "order") && has(one, "refund")) ?? found[0];
}

function act(desk: Desk, dialect: Dialect, operation: string, given: (name: string) => string): Said {
  if (operation === "code") return place(desk, dialect, "NATIVE", given);
  if (operation === "page") return place(desk, dialect, "JSAPI", given);
  if (operation === "micropay") return place(desk, dialect, "MICROPAY", given);
  if (operation === "query") return query(desk, dialect, given);
  if (operation === "close") return close(desk, dialect, given);
  return operation === "refund" ? refund(desk, dialect, given) : queryRefund(desk, dialect, given);
}
function insteadOf(fault: Fault): Said | undefined {
  if (fault.kind.startsWith("error-500")) return { no: "" };
  if (fault.kind.startsWith("rate-limited")) return { no: "TOO_MANY_REQUESTS" };
  return fault.kind.startsWith("refuse") ? { no: fault.code } : undefined;
}

function spoken(dialect: Dialect, { acquirer }: Merchant, name: (field: string) => string, said: Said): Message {
  const common = { [name("merchant")]: acquirer?.merchantNo ?? "", [name("nonce")]: randomBytes(8).toString("hex") };
  const ok = wordsOf(dialect, "ok", 0);
  if ("yes" in said) {
    const fields = Object.fromEntries(Object.entries(said.yes).map(([field, value]) => [name(field), value]));
    return { ...fields, ...common, [name("code")]: ok, [name("message")]: "成功" };
  }
  // Allinpay takes the request and says no in the status of the trade.
  return acquirer?.channel === 4
    ? { ...common, [name("code")]: ok, [name("status")]: said.no, [name("message")]: said.no }
    : { ...common, [name("code")]: said.no, [name("message")]: said.no };
}
