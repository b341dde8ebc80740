import { generateKeyPairSync, randomUUID } from "node:crypto";
import { openTillWorld, type TillWorld, type WorldOptions } from "../../../orders/server/testing/till-world.ts";
import { setChannelAccount } from "../../../organisation/server/index.ts";
import type { SharingMode, SharingWallet } from "../../contract/index.ts";

export interface ShareWorld extends TillWorld {
  /** The receivers of mch01, by their alias. */
  readonly receiverIds: Readonly<Record<string, string>>;
  /** A paid order of mch01 whose money is frozen, by the code of either wallet. */
  paid(grossCents?: number, wallet?: SharingWallet): Promise<{ id: string; orderNo: string; tillNo: string; shareId: string }>;
  /** A minute passes and everything due is done. */
  pass(minutes?: number): Promise<void>;
  order(id: string): Promise<Readonly<Record<string, number>>>;
  share(
    id: string,
  ): Promise<Readonly<{ status: number; amount_cents: number; shared_cents: number; returned_cents: number; failure: string | null }>>;
  rule(mode: SharingMode, more?: { timing?: "now" | "next-day"; unfreeze?: boolean }): Promise<void>;
}
/** Receivers of the demo's first merchant: its provider, a partner, and a member of the staff. */
export const RECEIVERS = [
  { alias: "服务商", type: "MERCHANT_ID", account: "1900000001", name: "演示服务商有限公司", relation: "SERVICE_PROVIDER", ratio: 10_000 },
  { alias: "合作伙伴", type: "MERCHANT_ID", account: "1900000077", name: "合作伙伴有限公司", relation: "PARTNER", ratio: 5_000 },
  { alias: "店长", type: "PERSONAL_OPENID", account: "oManager0123456789", name: undefined, relation: "STAFF", ratio: 3_000 },
] as const;
/** Those of them who have an account at Alipay as well. */
const ALIPAY = [
  { alias: "服务商", type: "ALIPAY_USER_ID", account: "2088000000000101" },
  { alias: "合作伙伴", type: "ALIPAY_LOGIN_NAME", account: "partner@example.cn" },
] as const;
const CODES = { wechat: "130000000000000009", alipay: "280000000000000009" } as const;

/** What signs for mch01 at Alipay; nobody is asked. */
async function addAlipay(world: TillWorld): Promise<void> {
  const { serviceProviderId, id: merchantId } = world.tree.merchants.mch01;
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await world.look((tx) =>
    setChannelAccount(tx, world.services, {
      serviceProviderId,
      merchantId,
      channel: 0,
      mode: "direct",
      merchantNo: "2088000000000001",
      appNo: "2021000000000001",
      privateKey: key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      publicKey: key.publicKey.export({ type: "spki", format: "pem" }).toString(),
      baseUrl: "https://openapi.alipay.com/gateway.do",
    }),
  );
}

/** The till world with receivers, a group and an automatic rule for mch01, which is paid by both wallets. */
export async function openShareWorld(
  options: WorldOptions = {},
  aliases: readonly string[] = RECEIVERS.map((one) => one.alias),
): Promise<ShareWorld> {
  const world = await openTillWorld(options);
  const store = world.tree.merchants.mch01.stores[0]!;
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at) values ($1, $2, true, now()) on conflict (service_provider_id, merchant_id) do update set profit_sharing = true",
    [store.serviceProviderId, store.merchantId],
  );
  await addAlipay(world);
  const group = await world.as("mch01", "addSharingGroup", { name: "合作方" });
  const receiverIds: Record<string, string> = {};
  for (const one of RECEIVERS.filter(({ alias }) => aliases.includes(alias))) {
    const added = await world.as("mch01", "addReceiver", { groupId: group.id, ...one });
    receiverIds[one.alias] = added.id;
    for (const { alias, ...account } of ALIPAY)
      if (alias === one.alias) await world.as("mch01", "addReceiverAccount", { id: added.id, ...account });
  }
  const rule: ShareWorld["rule"] = async (mode, { timing = "now", unfreeze = false } = {}) => {
    const { rule: now } = await world.as("mch01", "getSharingSetup", {});
    await world.as("mch01", "setSharingRule", { version: now.version, mode, timing, groupId: group.id, unfreeze, ratios: [] });
  };
  await rule("auto");
  return {
    ...world,
    receiverIds,
    rule,
    async paid(grossCents = 10_000, wallet = "wechat") {
      const tillNo = `T${randomUUID().slice(0, 18)}`;
      const { orderNo } = await world.till(store, "createTillOrder", {
        tillNo,
        tradeType: "MICROPAY",
        subject: "午餐",
        grossCents,
        authCode: CODES[wallet],
      });
      const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
      const [share] = await world.owner<{ id: string }>("select id from sharing_orders where order_id = $1", [row!.id]);
      return { id: row!.id, orderNo, tillNo, shareId: share?.id ?? "" };
    },
    async pass(minutes = 2) {
      world.services.clock.advance(minutes * 60_000);
      await world.runJobs();
      await world.sweep();
    },
    async order(id) {
      const [row] = await world.owner<Record<string, number>>(
        `select status, sharing_cents::int as sharing, shared_cents::int as shared, share_returning_cents::int as returning, share_returned_cents::int as returned,
          share_borne_cents::int as borne, refunding_cents::int as refunding, refunded_cents::int as refunded from pay_orders where id = $1`,
        [id],
      );
      return row!;
    },
    async share(id) {
      const [row] = await world.owner<never>(
        "select status, amount_cents::int as amount_cents, shared_cents::int as shared_cents, returned_cents::int as returned_cents, failure from sharing_orders where id = $1",
        [id],
      );
      return row!;
    },
  };
}
