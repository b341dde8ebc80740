import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerAcquirer } from "./acquirer/answer.ts";
import { readUpload, uploadOperation } from "./applyment/media.ts";
import { answerAlipay, answerBillFile } from "./alipay/gateway.ts";
import { ACTIONS, ControlError } from "./control.ts";
import type { Console } from "./control.ts";
import { REQUEST_FAULTS, takeFault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { DEVICES_PAGE } from "./hardware/devices-page.ts";
import { openHardware, type Hardware } from "./hardware/hardware.ts";
import { openKeys, openSealed, rotateCertificate } from "./keys.ts";
import { openOutbox } from "./outbox.ts";
import { PAGE } from "./tills/page.ts";
import { bag, refuse } from "./reply.ts";
import type { Bag, Reply, Settings } from "./reply.ts";
import { answerAuthCode } from "./trades/auth-code.ts";
import { openPayers } from "./trades/payers.ts";
import { settleRefund } from "./trades/refunds.ts";
import { currentShare } from "./sharing/share-state.ts";
import { currentReturn } from "./sharing/sharing-returns.ts";
import { openState } from "./state.ts";
import type { Merchant } from "./state.ts";
import { currentTransfer } from "./trades/transfers.ts";
import { TILL_PAGE } from "./tills/till-page.ts";
import { openTills } from "./tills/tills.ts";
import type { Tills } from "./tills/tills.ts";
import { findOperation } from "./wechat.ts";
import { readAuthorization, signedHeaders } from "./wire.ts";

const LARGEST_BODY = 4 * 1024 * 1024;
const STALE_MS = 10 * 60_000;

export interface Simulator {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the channel's side: /v3/… for merchants, /_control/… for tests and demos, / for the customer's phone; printers and speakers beside it. */
export async function startSimulator(given: {
  directory: string;
  host: string;
  port: number;
  settings: Settings;
  /** What whoever started it knows it by: another program on this port does not know it. */
  token?: string | undefined;
}): Promise<Simulator> {
  const { directory, settings, token } = given;
  let keys = await openKeys(directory);
  const state = openState(directory);
  const faults: Fault[] = [];
  const now = () => Date.now();
  const outbox = openOutbox({ state, keys: () => keys, settings, faults, now });
  const desk = (merchant: Merchant) => ({
    state,
    merchant,
    now: now(),
    settings,
    enqueue: outbox.enqueue,
    open: (sealed: string) => openSealed(keys, sealed),
  });
  const rotate = async () => void (keys = await rotateCertificate(directory, keys));
  const console: Console = { state, settings, faults, outbox, now, keys: () => keys, rotate, desk };

  const payers = openPayers(now);
  const tills = openTills(directory);
  const hardware = openHardware(directory);
  const server = createServer((request, response) => {
    if (answerBrowser(payers, request, response)) return;
    if (token && request.url === "/proof") return void response.writeHead(200).end(token);
    answer(console, tills, hardware, request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(given.port, given.host, resolve));
  outbox.resume();
  const ticker = setInterval(() => settleDue(console), 100);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : given.port;
  return {
    url: `http://${given.host}:${port}`,
    stop: async () => {
      clearInterval(ticker);
      outbox.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      state.close();
    },
  };
}

/** Shares, returns and refunds come to their end by themselves after a while, unless somebody wants to decide. */
function settleDue({ state, settings, outbox, now }: Console): void {
  const desk = { state, settings, now: now(), enqueue: outbox.enqueue };
  for (const key of state.sharing) {
    const share = state.shares.get(key);
    const back = state.shareReturns.get(key);
    if (share) currentShare(desk, share);
    if (back) currentReturn(desk, back);
  }
  for (const transfer of state.transfers.values())
    if (transfer.state === "WAIT_USER_CONFIRM" || transfer.state === "CANCELING") currentTransfer({ ...desk, settings }, transfer);
  if (settings.refundAfter_ms === null) return;
  const due = now() - settings.refundAfter_ms / settings.speed;
  for (const key of state.processing) {
    const refund = state.refunds.get(key);
    if (refund && !refund.held && refund.createdAt <= due) settleRefund(desk, refund, "SUCCESS", now());
  }
}

/** One token and one ticket for whoever asks: what a page signs with them is checked by WeChat's browser, and there is none here. */
const SCRIPT_ANSWERS: Readonly<Record<string, object>> = {
  "/cgi-bin/stable_token": { access_token: "sim_access_token", expires_in: 7200 },
  "/cgi-bin/ticket/getticket": { errcode: 0, errmsg: "ok", ticket: "sim_jsapi_ticket", expires_in: 7200 },
};
/** What WeChat's browser and the merchant's server ask about the payer. */
function answerBrowser(payers: ReturnType<typeof openPayers>, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === "/connect/oauth2/authorize") {
    const to = payers.authorize(url);
    if (to === undefined) response.writeHead(400).end();
    else response.writeHead(302, { Location: to }).end();
    return true;
  }
  const said = url.pathname === "/sns/oauth2/access_token" ? payers.exchange(url) : SCRIPT_ANSWERS[url.pathname];
  if (said === undefined) return false;
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(said));
  return true;
}

async function answer(
  console: Console,
  tills: Tills,
  hardware: Hardware,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
  const bytes = await bodyOf(request);
  const body = bytes.toString("utf8");
  if (url.pathname.startsWith("/v3/")) return answerMerchant(console, request, response, url, bytes);
  if (url.pathname === "/tools/authcodetoopenid" && request.method === "POST")
    return void response.writeHead(200, { "Content-Type": "text/xml; charset=utf-8" }).end(answerAuthCode(console.state, body));
  if (url.pathname === "/alipay/bill") return answerBillFile(console, response, url);
  if (url.pathname === "/alipay/gateway.do") return answerAlipay(console, request, response, url, body);
  if (url.pathname.startsWith("/acquirer/")) return answerAcquirer(console, request, response, url, body);
  if (url.pathname.startsWith("/_control/"))
    return answerPage(
      request,
      response,
      body,
      (name, given) => ACTIONS[name]?.(console, given, url),
      url.pathname.slice("/_control/".length),
    );
  if (url.pathname.startsWith("/_till/"))
    return answerPage(request, response, body, (name, given) => tills.actions[name]?.(given, url), url.pathname.slice("/_till/".length));
  if (url.pathname.startsWith("/_devices/"))
    return answerPage(
      request,
      response,
      body,
      (name, given) => hardware.actions[name]?.(given, url),
      url.pathname.slice("/_devices/".length),
    );
  if (hardware.answer(request, response, url, body)) return;
  if (url.pathname === "/devices") return void response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(DEVICES_PAGE);
  if (url.pathname === "/till") return void response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(TILL_PAGE);
  if (url.pathname === "/") return void response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(PAGE);
  response.writeHead(404).end();
}

async function answerMerchant(
  console: Console,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  bytes: Buffer,
): Promise<void> {
  const upload = url.pathname === "/v3/merchant/media/upload" ? readUpload(request.headers["content-type"] ?? "", bytes) : undefined;
  // Of a picture only what describes it is signed.
  const body = upload?.meta ?? bytes.toString("utf8");
  const method = request.method ?? "";
  const signed = { method, target: request.url ?? "", authorization: request.headers.authorization ?? "", body };
  const merchant = readAuthorization(console.state.merchants, signed, console.now());
  // Whoever cannot be recognised gets an answer without a signature.
  if (typeof merchant === "string") return plain(response, refuse(401, "SIGN_ERROR", merchant));
  const operation = upload ? uploadOperation(upload) : findOperation(method, url, body);
  if (!operation) return plain(response, refuse(404, "NO_SUCH_API", "没有这个接口"));

  const fault = takeFault(console.faults, REQUEST_FAULTS, operation.name, operation.number);
  if (fault?.kind === "slow") await wait(fault.delay_ms);
  if (fault?.kind === "lost-request") return void request.socket.destroy();
  const instead = fault && insteadOf(fault);
  const reply = instead && !fault.kind.endsWith("-done") ? instead : operation.answer(console.desk(merchant));
  if (fault?.kind === "lost-reply") return void request.socket.destroy();
  if (Buffer.isBuffer(reply.body))
    return void response.writeHead(reply.status, { "Content-Type": "application/octet-stream" }).end(reply.body);
  const asked = request.headers["wechatpay-serial"];
  await seal(console, response, fault?.kind.endsWith("-done") && instead ? instead : reply, typeof asked === "string" ? asked : "", fault);
}

/** The answer that a fault gives in place of the true one. */
function insteadOf(fault: Fault): Reply | undefined {
  if (fault.kind.startsWith("error-500")) return refuse(500, "SYSTEM_ERROR", "系统异常，请稍后重试");
  if (fault.kind.startsWith("rate-limited")) return refuse(429, "FREQUENCY_LIMITED", "频率超限");
  return fault.kind.startsWith("refuse") ? refuse(fault.status, fault.code, fault.message) : undefined;
}

/** Signs the answer with the key that the request named, else with the newest certificate. */
async function seal(console: Console, response: ServerResponse, reply: Reply, asked: string, fault: Fault | undefined): Promise<void> {
  const text = reply.body ? JSON.stringify(reply.body) : "";
  const { publicKey, certificates } = console.keys();
  const key = asked === publicKey.serial ? publicKey : (certificates.at(-1) ?? publicKey);
  const at = fault?.kind === "stale-answer" ? console.now() - STALE_MS : console.now();
  const signature = await signedHeaders(key, fault?.kind === "forged-answer" ? `${text} ` : text, at);
  const headers = {
    ...(text ? { "Content-Type": "application/json; charset=utf-8" } : {}),
    ...(fault?.kind === "unsigned-answer" ? {} : signature),
  };
  response.writeHead(reply.status, headers).end(fault?.kind === "garbled-answer" ? text.slice(0, -2) : text);
}

// The calls of the two pages and of tests. A page of another site cannot send JSON without being asked first, and the answer to that is no.
async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  act: (name: string, given: Bag) => object | Promise<object> | undefined,
  name: string,
): Promise<void> {
  if (request.method === "POST" && !request.headers["content-type"]?.startsWith("application/json"))
    return plain(response, refuse(415, "TYPE", "须为 application/json"));
  try {
    const done = await act(`${request.method} ${name}`, body ? bag(JSON.parse(body)) : {});
    plain(response, done ? { status: 200, body: done } : refuse(404, "NO_SUCH_CALL", "没有这个调用"));
  } catch (error) {
    if (error instanceof ControlError || error instanceof SyntaxError)
      plain(response, refuse(error instanceof ControlError ? error.status : 400, "CONTROL", error.message));
    else throw error;
  }
}

function plain(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(reply.body ?? {}));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error("request body over 4 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
