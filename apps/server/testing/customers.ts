import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { giveSms, type SmsProvider } from "@zhangfang/domains/members/server/index.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { savePointRule } from "@zhangfang/domains/points/contract/index.ts";
import { verifyPoints } from "@zhangfang/domains/points/server/index.ts";
import { saveRechargeRules } from "@zhangfang/domains/stored-value/contract/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { addPoints, verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { setRights, setVipLevels } from "@zhangfang/domains/vip/contract/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { domains, doors, routes } from "../domains.ts";
import { openHttp } from "../http.ts";
import { POINT_RULE } from "./flows/point-rule.ts";

export const routeOf = (endpoint: object) => routes.find((one) => one.endpoint === endpoint)!;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string | undefined;
}
/** A customer's browser at the page of a merchant: it keeps its cookies. */
export interface Phone {
  readonly merchant: string;
  readonly jar: Map<string, string>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}
type Key = "mch01" | "mch02" | "mch03";
/** Somebody who joined, and their browser. */
interface Joined {
  readonly phone: Phone;
  readonly number: string;
  readonly no: string;
  readonly id: string;
}
export interface CustomerWorld {
  readonly world: TillWorld;
  phoneAt(key?: Key): Phone;
  newPhone(): string;
  /** The code that comes by SMS. */
  codeFor(phone: Phone, number: string): Promise<string>;
  /** The same to the own phone, of who is signed in, good for that alone. */
  ownCode(phone: Phone, number: string, purpose?: string): Promise<string>;
  /** The last code that a number got. */
  lastCode(number: string): string;
  /** The whole message. */
  lastSms(number: string): Parameters<SmsProvider["send"]>[0];
  joined(name?: string, number?: string, key?: Key): Promise<Joined>;
  /** The channel says that it is paid. */
  pay(orderNo: string): Promise<void>;
  /** A recharge that is paid: 500.00 with 50.00 and 20 points. @returns its request */
  recharge(phone: Phone, amountCents?: number): Promise<string>;
  /** mch01 gives its members a level after the first yuan (九五折), and points that earn and pay. */
  giveRights(): Promise<void>;
  givePoints(one: { readonly id: string }, points: number): Promise<void>;
  /** What the books and the rooms of members find wrong. */
  breaches(): Promise<unknown[]>;
  close(): Promise<void>;
}

/** The whole product over HTTP with customers on their phones; what goes out by SMS is kept. */
export async function openCustomers(): Promise<CustomerWorld> {
  const world = await openTillWorld({ above: domains });
  const sent = new Map<string, Parameters<SmsProvider["send"]>[0]>();
  giveSms(world.services, {
    send: async (sms) => (sent.set(sms.phone, sms), { state: "sent" }),
    ask: async () => ({ state: "none" }),
  });
  const app = await openHttp(world.services, doors, routes, { limits: false });
  await world.ask("mch01", routeOf(saveRechargeRules), {
    version: 0,
    tiers: [{ amountCents: 50_000, giftCents: 5_000, points: 20 }],
  });
  function phoneAt(key: Key = "mch01"): Phone {
    const merchant = world.tree.merchants[key].id;
    const jar = new Map<string, string>();
    const ask = async (verb: "GET" | "POST", path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
      const answer = await app.inject({
        method: verb,
        url: path.startsWith("/") ? path : `/api/customer/${merchant}/${path}`,
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { payload: JSON.stringify(body) }),
      });
      const text = answer.headers["set-cookie"] as string | undefined;
      const [name = "", value = ""] = text?.split(";")[0]?.split("=") ?? [];
      if (text !== undefined) jar.set(name, value);
      const parsed: unknown = answer.headers["content-type"]?.toString().includes("json") ? JSON.parse(answer.body) : undefined;
      return { status: answer.statusCode, body: parsed as Record<string, unknown>, cookie: text };
    };
    return {
      merchant,
      jar,
      get: (path) => ask("GET", path),
      post: (path, body = {}, headers = {}) => ask("POST", path, body, headers),
    };
  }
  const lastSms = (number: string) => sent.get(number)!;
  const lastCode = (number: string) => lastSms(number).params["code"]!;
  const newPhone = () => `135${world.services.ids.digits(8)}`;
  async function codeFor(phone: Phone, number: string): Promise<string> {
    expect((await phone.post("sms", { phone: number })).status).toBe(200);
    await world.runJobs();
    return lastCode(number);
  }
  async function ownCode(phone: Phone, number: string, purpose = "transfer"): Promise<string> {
    world.services.clock.advance(61_000);
    expect((await phone.post("own-sms", { purpose })).status).toBe(200);
    await world.runJobs();
    return lastCode(number);
  }
  async function joined(name = "林小满", number = newPhone(), key: Key = "mch01"): Promise<Joined> {
    const phone = phoneAt(key);
    world.services.clock.advance(61_000);
    const sms = await codeFor(phone, number);
    const answer = await phone.post("join", { phone: number, sms, name, consent: 2 });
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    const home = (await phone.get("home")).body as Record<string, unknown>;
    const [row] = await world.owner<{ id: string }>("select id from members where no = $1", [home["memberNo"]]);
    return { phone, number, no: String(home["memberNo"]), id: row!.id };
  }
  async function pay(orderNo: string): Promise<void> {
    const { id } = world.tree.merchants.mch01;
    const mchId = world.settings.get(id)!.account.mchId;
    await world.notify(id, world.channel.notice(`M${orderNo}`, mchId, { transaction: world.channel.customerPays(orderNo) }));
    await world.runJobs();
  }
  async function recharge(phone: Phone, amountCents = 50_000): Promise<string> {
    const { ruleId } = (await phone.get("recharge-offer")).body as { ruleId: string };
    const requestId = randomUUID();
    const placed = await phone.post("recharge", { requestId, amountCents, ruleId });
    expect(placed).toMatchObject({ status: 200, body: { status: 0, amountCents } });
    await pay((placed.body as { orderNo: string }).orderNo);
    return requestId;
  }
  async function giveRights(): Promise<void> {
    await world.ask("mch01", routeOf(savePointRule), { version: 0, rule: POINT_RULE });
    await world.ask("mch01", routeOf(setVipLevels), { version: 0, levels: [{ rank: 1, name: "金卡", basis: "growth", threshold: 1 }] });
    await world.ask("mch01", routeOf(setRights), { version: 0, rights: [{ rank: 1, discount: 95 }] });
  }
  async function givePoints({ id: member_id }: { readonly id: string }, points: number): Promise<void> {
    const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
    await withScope(world.services.pool, platformScope("points of a test"), (tx) =>
      addPoints(
        tx,
        { ids: world.services.ids, now_ms: world.services.clock.now_ms() },
        { service_provider_id, merchant_id, member_id },
        { cause: "points-given", cause_id: randomUUID(), points, usable_from: "2026-11-20", expires_on: null },
      ),
    );
  }
  async function breaches(): Promise<unknown[]> {
    await world.runJobs();
    const rooms = await world.look(async (tx) => [...(await verifyValue(tx)), ...(await verifyStored(tx)), ...(await verifyPoints(tx))]);
    return [...(await world.verify()), ...rooms];
  }
  const close = async () => {
    await app.close();
    await world.close();
  };
  return { world, phoneAt, newPhone, codeFor, ownCode, lastCode, lastSms, joined, pay, recharge, giveRights, givePoints, breaches, close };
}
