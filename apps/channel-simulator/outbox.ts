import { generateKeyPairSync, randomUUID } from "node:crypto";
import { NOTIFICATION_FAULTS, takeFault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import type { PlatformKey, PlatformKeys } from "./keys.ts";
import { bag } from "./reply.ts";
import type { NewNotice, Settings } from "./reply.ts";
import type { Notice, State } from "./state.ts";
import { rfc3339, sealResource, signedHeaders } from "./wire.ts";

/** Source: channels.md 3.1, 支付通知 重试策略: 24 h 4 m in all. Divided by `speed`. */
const RETRY_S = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600] as const;
const ANSWER_WITHIN_MS = 5_000;
const AT_ONCE = 16;
const STALE_MS = 10 * 60_000;

export interface Delivery {
  readonly id: string;
  readonly number: string;
  readonly eventType: string;
  readonly attempt: number;
  /** 0 where nobody answered. */
  readonly status: number;
  readonly at: number;
}

export interface Outbox {
  enqueue(notice: NewNotice): void;
  /** Sends what is due and what a restart left behind. */
  resume(): void;
  recent(): readonly Delivery[];
  stop(): void;
}

/** Sends encrypted and signed notifications until they are taken, at the channel's documented pace. */
export function openOutbox(means: { state: State; keys: () => PlatformKeys; settings: Settings; faults: Fault[]; now: () => number }): Outbox {
  const timers = new Map<string, NodeJS.Timeout>();
  const spoiled = new Map<string, Fault>();
  /** Overtaken by the next one; at the latest they go after the first waiting time. */
  const held: Notice[] = [];
  const waiting: Notice[] = [];
  const log: Delivery[] = [];
  let active = 0;
  let turn = 0;
  let stopped = false;
  const liar = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

  function plan(notice: Notice): void {
    if (stopped) return;
    const timer = setTimeout(() => begin(notice), Math.max(0, notice.nextAt - means.now()));
    timers.set(notice.key, timer);
  }
  function begin(notice: Notice): void {
    timers.delete(notice.key);
    waiting.push(notice);
    pump();
  }
  function pump(): void {
    const next = active < AT_ONCE && !stopped ? waiting.shift() : undefined;
    if (!next) return;
    active += 1;
    void attempt(next).finally(() => {
      active -= 1;
      pump();
    });
  }

  async function attempt(notice: Notice): Promise<void> {
    const fault = spoiled.get(notice.key);
    spoiled.delete(notice.key);
    const copies = fault?.kind === "duplicate" ? fault.copies : 1;
    const answers = await Promise.all(Array.from({ length: copies }, () => send(notice, fault)));
    if (stopped) return;
    const status = answers.find((answer) => answer === 200 || answer === 204) ?? answers[0] ?? 0;
    log.unshift({ id: notice.key, number: notice.number, eventType: notice.eventType, attempt: notice.attempts + 1, status, at: means.now() });
    log.splice(200);
    // A spoiled one is followed by the genuine one, whatever the answer was.
    const taken = (status === 200 || status === 204) && (!fault || fault.kind === "duplicate");
    const wait = RETRY_S[notice.attempts];
    if (taken || wait === undefined) means.state.drop(notice);
    else {
      const again = { ...notice, attempts: notice.attempts + 1, nextAt: means.now() + (wait * 1000) / means.settings.speed };
      means.state.save("notice", again);
      plan(again);
    }
    for (const late of held.splice(0)) {
      if (late.key === notice.key) continue;
      clearTimeout(timers.get(late.key));
      plan({ ...late, nextAt: means.now() });
    }
  }

  async function send(notice: Notice, fault: Fault | undefined): Promise<number> {
    const merchant = means.state.merchants.get(notice.mchId);
    if (!merchant) return 0;
    const body = JSON.stringify({
      id: notice.key,
      create_time: rfc3339(notice.createdAt),
      resource_type: "encrypt-resource",
      event_type: notice.eventType,
      summary: notice.kind === "refund" ? "退款结果" : "支付成功",
      resource: sealResource(merchant.apiV3Key, notice.kind, fault ? spoil(notice.resource, fault) : notice.resource),
    });
    const key = signingKey();
    const at = fault?.kind === "stale" ? means.now() - STALE_MS : means.now();
    const signed = await signedHeaders(fault?.kind === "forged" ? { ...key, privateKeyPem: liar } : key, body, at);
    const probe = fault?.kind === "probe" ? { "Wechatpay-Signature": `WECHATPAY/SIGNTEST/${signed["Wechatpay-Signature"]?.slice(19)}` } : {};
    try {
      const answer = await fetch(notice.url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "*/*", "User-Agent": "Mozilla/4.0", ...signed, ...probe },
        body,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        redirect: "manual",
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }
  function signingKey(): PlatformKey {
    const keys = means.keys();
    const certificate = keys.certificates.at(-1) ?? keys.publicKey;
    turn += 1;
    const byKey = { "public-key": keys.publicKey, certificate, alternate: turn % 2 === 0 ? keys.publicKey : certificate };
    return byKey[means.settings.notificationKey];
  }

  return {
    enqueue: (given) => {
      const fault = takeFault(means.faults, NOTIFICATION_FAULTS, given.kind, given.number);
      if (fault?.kind === "lost") return;
      const now = means.now();
      const wait = { late: fault?.delay_ms ?? 0, reorder: (RETRY_S[0] * 1000) / means.settings.speed }[String(fault?.kind)] ?? 0;
      const notice: Notice = { ...given, key: randomUUID(), createdAt: now, attempts: 0, nextAt: now + wait };
      means.state.save("notice", notice);
      if (fault?.kind === "reorder") held.push(notice);
      else if (fault && fault.kind !== "late") spoiled.set(notice.key, fault);
      plan(notice);
    },
    resume: () => {
      for (const notice of means.state.notices.values()) plan(notice);
    },
    recent: () => log,
    stop: () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** A cent more, or another merchant, in a message that is otherwise sealed and signed as it should be. */
function spoil(resource: Notice["resource"], fault: Fault): object {
  if (fault.kind === "wrong-merchant") {
    const name = "sub_mchid" in resource ? "sub_mchid" : "mchid";
    return { ...resource, [name]: "1999999999" };
  }
  if (fault.kind !== "wrong-amount") return resource;
  const amount = Object.entries(bag(resource["amount"])).map(([name, value]) => [name, typeof value === "number" ? value + 1 : value]);
  return { ...resource, amount: Object.fromEntries(amount) };
}
