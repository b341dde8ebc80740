import { randomUUID } from "node:crypto";
import { NOTIFICATION_FAULTS, takeFault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import type { PlatformKeys } from "./keys.ts";
import { postAcquirer } from "./acquirer/notice.ts";
import { postForm, postNotice } from "./post-notice.ts";
import { bag, text } from "./reply.ts";
import type { NewNotice, Settings } from "./reply.ts";
import type { Notice, State } from "./state.ts";

/** Source: channels.md 3.1, 支付通知 重试策略: 24 h 4 m in all. Divided by `speed`. */
const RETRY_S = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600] as const;
const AT_ONCE = 16;
const REMEMBERED = 200;

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
  /** Sends what a restart left behind. */
  resume(): void;
  recent(): readonly Delivery[];
  stop(): void;
}

interface Means {
  readonly state: State;
  readonly keys: () => PlatformKeys;
  readonly settings: Settings;
  readonly faults: Fault[];
  readonly now: () => number;
}

/** Sends encrypted and signed notifications until they are taken, at the channel's documented pace. */
export function openOutbox(means: Means): Outbox {
  const spoiled = new Map<string, Fault>();
  /** Overtaken by the next one; at the latest they go after the first waiting time. */
  const held: Notice[] = [];
  const log: Delivery[] = [];
  const line = openLine(attempt, means.now);

  async function attempt(notice: Notice): Promise<void> {
    const fault = spoiled.get(notice.key);
    spoiled.delete(notice.key);
    const status = await send(means, notice, fault);
    if (line.stopped()) return;
    log.unshift({
      id: notice.key,
      number: notice.number,
      eventType: notice.eventType,
      attempt: notice.attempts + 1,
      status,
      at: means.now(),
    });
    log.splice(REMEMBERED);
    const wait = RETRY_S[notice.attempts];
    // A spoiled one is followed by the genuine one, whatever the answer was.
    const taken = accepted(status) && (!fault || fault.kind === "duplicate");
    if (taken || wait === undefined) means.state.drop(notice);
    else {
      const again = { ...notice, attempts: notice.attempts + 1, nextAt: means.now() + (wait * 1000) / means.settings.speed };
      means.state.save("notice", again);
      line.plan(again);
    }
    for (const late of held.splice(0)) if (late.key !== notice.key) line.plan({ ...late, nextAt: means.now() });
  }

  return {
    enqueue: (given) => {
      const fault = takeFault(means.faults, NOTIFICATION_FAULTS, given.kind, given.number);
      if (fault?.kind === "lost") return;
      const now = means.now();
      const first_ms = (RETRY_S[0] * 1000) / means.settings.speed;
      const wait = fault?.kind === "late" ? fault.delay_ms : fault?.kind === "reorder" ? first_ms : 0;
      const notice: Notice = { ...given, key: randomUUID(), createdAt: now, attempts: 0, nextAt: now + wait };
      means.state.save("notice", notice);
      if (fault?.kind === "reorder") held.push(notice);
      else if (fault && fault.kind !== "late") spoiled.set(notice.key, fault);
      line.plan(notice);
    },
    resume: () => {
      for (const notice of means.state.notices.values()) line.plan(notice);
    },
    recent: () => log,
    stop: line.stop,
  };
}

const accepted = (status: number) => status === 200 || status === 204;
let turn = 0;

/** Posts it, several times where a fault says so; one taken copy is enough. */
async function send(means: Means, notice: Notice, fault: Fault | undefined): Promise<number> {
  const merchant = means.state.merchants.get(notice.mchId);
  if (!merchant) return 0;
  const { publicKey, certificates } = means.keys();
  const certificate = certificates.at(-1) ?? publicKey;
  turn += 1;
  const key = { "public-key": publicKey, certificate, alternate: turn % 2 === 0 ? publicKey : certificate }[means.settings.notificationKey];
  const copies = fault?.kind === "duplicate" ? fault.copies : 1;
  const answers = await Promise.all(
    Array.from({ length: copies }, async () => {
      if (merchant.acquirer) return postAcquirer(merchant, means, notice, fault);
      if (!merchant.alipay) return postNotice(merchant, key, notice, fault, means.now());
      const given = bag(notice.resource);
      const signer = merchant.alipay.certificates?.alipay.at(-1);
      const rsa = signer ? { ...publicKey, privateKeyPem: signer.privateKeyPem } : publicKey;
      if (given["message"]) return postForm(merchant, rsa, notice, { content: bag(given["content"]) }, fault, means.now());
      const trade = means.state.trades.get(text(given["trade"]));
      const refunded = typeof given["refunded"] === "number" ? given["refunded"] : 0;
      const outRefundNo = text(given["outRefundNo"]);
      const news = trade && {
        trade,
        refunded,
        ...(outRefundNo && { outRefundNo }),
        ...(typeof given["at"] === "number" && { at: given["at"] }),
      };
      return news ? postForm(merchant, rsa, notice, news, fault, means.now()) : 0;
    }),
  );
  return answers.find(accepted) ?? answers[0] ?? 0;
}

/** Starts each notice at its moment, a few at a time. Planning one again moves it. */
function openLine(attempt: (notice: Notice) => Promise<void>, now: () => number) {
  const timers = new Map<string, NodeJS.Timeout>();
  const waiting: Notice[] = [];
  let active = 0;
  let stopped = false;
  function pump(): void {
    const next = active < AT_ONCE && !stopped ? waiting.shift() : undefined;
    if (!next) return;
    active += 1;
    void attempt(next).finally(() => {
      active -= 1;
      pump();
    });
  }
  return {
    plan: (notice: Notice) => {
      clearTimeout(timers.get(notice.key));
      const begin = () => {
        timers.delete(notice.key);
        waiting.push(notice);
        pump();
      };
      if (!stopped) timers.set(notice.key, setTimeout(begin, Math.max(0, notice.nextAt - now())));
    },
    stopped: () => stopped,
    stop: () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
