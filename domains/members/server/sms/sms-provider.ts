import { sha256, hmacHex } from "@zhangfang/server/crypto.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** What goes to a phone. The id is ours: the same one is one message, however often it is sent. */
export interface Sms {
  readonly id: string;
  readonly phone: string;
  /** `own-code` says that staff never ask for it. */
  readonly template: "code" | "own-code" | "invoice";
  /** `code`, and `use`: what it is for. Of an invoice `no` (its last four), `sum` and `url`. */
  readonly params: Readonly<Record<string, string>>;
}
export type SmsState = { readonly state: "sent" } | { readonly state: "refused"; readonly why: string };
/** Whoever carries messages. What it throws leaves the outcome unknown. */
export interface SmsProvider {
  send(sms: Sms): Promise<SmsState>;
  /** What became of a message; `none` where it never arrived there. */
  ask(id: string): Promise<SmsState | { readonly state: "none" }>;
}

const opened = new WeakMap<Services, SmsProvider>();
/** Gives these services another provider, for a test. */
export const giveSms = (services: Services, provider: SmsProvider): void => void opened.set(services, provider);
/** The provider of these services: the simulator's in a demo; else none, and a message is refused with words. */
export const smsOf = (services: Services): SmsProvider =>
  opened.get(services) ?? (services.config.demo ? overHttp(services, services.config.simulator_port + 2) : nobody);

/** Whether anybody carries messages for these services. */
export const hasSms = (services: Services): boolean => opened.has(services) || services.config.demo;

const nobody: SmsProvider = {
  send: async () => ({ state: "refused", why: "平台还没有配置短信服务" }),
  ask: async () => ({ state: "none" }),
};

/** The key of the demo's provider: it opens nothing but a simulator on this machine. */
const DEMO_KEY = { id: "zhangfang-demo", secret: "sms-simulator" };
const TIMEOUT_MS = 5_000;
/** Signed HTTP: HMAC-SHA256 over time and the body's hash. */
export function overHttp(services: Pick<Services, "clock">, port: number): SmsProvider {
  const host = `127.0.0.1:${port}`;
  const send = openOutbound([host], { loopback: true });
  const ask = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const text = JSON.stringify(body);
    const time = String(services.clock.now_ms());
    const answer = await send({
      method: "POST",
      url: `http://${host}${path}`,
      headers: {
        "content-type": "application/json",
        "x-sms-key": DEMO_KEY.id,
        "x-sms-time": time,
        "x-sms-signature": hmacHex(DEMO_KEY.secret, `${time}\n${sha256(text).toString("hex")}\n`),
      },
      body: text,
      timeout_ms: TIMEOUT_MS,
    });
    if (answer.status !== 200) throw new Error(`sms provider answered ${answer.status}`);
    return JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>;
  };
  const read = (given: Readonly<Record<string, unknown>>): SmsState => {
    if (given["state"] === "sent") return { state: "sent" };
    const { why } = given;
    if (given["state"] === "refused") return { state: "refused", why: typeof why === "string" ? why : "短信服务商拒绝" };
    throw new Error("sms provider answered something else");
  };
  return {
    send: async (sms) => read(await ask("/sms/send", sms)),
    async ask(id) {
      const given = await ask("/sms/ask", { id });
      return given["state"] === "none" ? { state: "none" } : read(given);
    },
  };
}
