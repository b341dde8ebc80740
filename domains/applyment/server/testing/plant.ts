import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { giveApplymentChannel } from "../../../channels/server/index.ts";
import { INDIVIDUAL } from "../../contract/rules/dossiers-for-tests.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { FILL } from "../links/link-routes.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
/** A provider's 进件账户. */
export const ACCOUNT = {
  appId: "wx0123456789abcdef",
  mchId: "1900000109",
  certSerial: "ABCDEF0123456789",
  privateKeyPem: privateKey,
  apiV3Key: "0123456789abcdef0123456789abcdef",
  platformKeyId: "PUB_KEY_ID_0119",
  platformKeyPem: publicKey,
};
/** A merchant's dossier with a picture, its application that was rejected, and one before it that is finished. */
export interface ApplymentFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly merchantId: string;
  readonly file: string;
  /** An earlier one that is finished, with another number in the settings. */
  readonly finished: string;
  /** A link that the merchant fills in by, and what proves it. */
  readonly link: string;
  readonly pack: string;
  readonly token: string;
  /** Its dossier. */
  readonly dossier: string;
  readonly versions: object;
}
const MERCHANTS = { mch01: "sp01", mch02: "sp02", mch03: "sp01" } as const satisfies Partial<Record<MerchantKey, string>>;
const nobody = async () => ({ kind: "unknown", reason: "nobody is asked" }) as const;

// No merchant of the tree is called so.
const NAMES = { "business.shortName": "进件小吃", "licence.name": "成都市锦江区进件小吃店", "store.name": "进件小吃店" };

async function addApplyments(soil: Soil): Promise<readonly ApplymentFact[]> {
  giveApplymentChannel(soil.services, { upload: nobody, submit: nobody, find: nobody, willing: nobody, bankList: nobody });
  const facts: ApplymentFact[] = [];
  const base64 = await photoForTests();
  for (const provider of ["sp01", "sp02"] as const) {
    const answer = await soil.send(provider, { verb: "POST", path: "/api/applyments/account", body: { version: 0, ...ACCOUNT } });
    if (answer.status !== 200) throw new Error(answer.text);
  }
  for (const [merchant, provider] of Object.entries(MERCHANTS) as [keyof typeof MERCHANTS, "sp01"][]) {
    const merchantId = soil.till.tree.merchants[merchant].id;
    const post = async (path: string, body: object): Promise<{ id: string; versions?: object }> => {
      const answer = await soil.send(provider, { verb: "POST", path, body });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
      return answer.body as { id: string; versions?: object };
    };
    const { id: file } = await post("/api/applyments/files/add", { merchantId, base64 });
    const real = (one: string): string => (one.startsWith("file-") ? file : one);
    const changes = Object.entries<string | readonly string[] | undefined>({ ...INDIVIDUAL, ...NAMES }).map(([path, value]) => ({
      path,
      value: typeof value === "string" ? real(value) : value!.map(real),
      version: 0,
    }));
    const { versions } = await post("/api/applyments/dossier/save", { merchantId, changes });
    const submit = (submissions: number) =>
      post("/api/applyments/submit", { requestId: randomUUID(), merchantId, versions: versions!, submissions });
    const { id: finished } = await submit(0);
    await soil.owner.query(
      "update applyments set unsent = false, next_at = null, state = 'FINISHED', other_number = true, mch_id = $2, code = $3, sub_mch_id = '1600000777' where id = $1",
      [finished, ACCOUNT.mchId, `${ACCOUNT.mchId}_${merchant.toUpperCase()}`],
    );
    const { id } = await submit(1);
    await soil.owner.query("update applyments set unsent = false, next_at = null, state = 'REJECTED', alarm = true where id = $1", [id]);
    const { rows } = await soil.owner.query("select id from dossiers where merchant_id = $1", [merchantId]);
    const { id: link } = await post("/api/applyments/links/add", { requestId: randomUUID(), merchantId, steps: [3, 5], days: 7 });
    const { id: pack } = await post("/api/applyments/packages/add", { requestId: randomUUID(), merchantId, channel: "alipay" });
    facts.push({
      id,
      merchant,
      merchantId,
      file,
      finished,
      dossier: rows[0].id,
      link,
      pack,
      token: linkToken(soil.services, FILL, link),
      versions: versions!,
    });
  }
  return facts;
}
export const applymentFacts = plant(addApplyments);
