import { generateKeyPairSync } from "node:crypto";
import { setChannelAccount } from "../index.ts";
import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant } from "../../../../apps/server/testing/world.ts";
import type { TillWorld } from "../../../orders/server/testing/till-world.ts";

/** An account at Alipay and one at an acquirer of a merchant. */
export interface ChannelAccountFact {
  readonly id: string;
  readonly acquirer: string;
  readonly merchant: MerchantKey;
}
/** An account at Alipay and one at an acquirer for every merchant; their addresses take notifications that nobody here can sign. */
export async function addChannelAccounts({ tree, services, look }: TillWorld): Promise<readonly ChannelAccountFact[]> {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKey = String(keys.privateKey.export({ type: "pkcs8", format: "pem" }));
  const publicKey = String(keys.publicKey.export({ type: "spki", format: "pem" }));
  const made = [];
  for (const [n, merchant] of MERCHANT_KEYS.entries()) {
    const { serviceProviderId, id: merchantId } = tree.merchants[merchant];
    const own = { merchantNo: String(2_088_000_000_000_000 + n), appNo: "2021000000000001", privateKey, publicKey };
    const id = await look((tx) =>
      setChannelAccount(tx, services, {
        ...own,
        serviceProviderId,
        merchantId,
        channel: 0,
        mode: "direct",
        baseUrl: "https://openapi.alipay.com/gateway.do",
      }),
    );
    const acquirer = await look((tx) =>
      setChannelAccount(tx, services, {
        ...own,
        serviceProviderId,
        merchantId,
        channel: 1,
        mode: "direct",
        baseUrl: "https://acquirer.example.com",
      }),
    );
    made.push({ id, acquirer, merchant });
  }
  return made;
}
export const channelAccounts = plant(({ till }) => addChannelAccounts(till));
