import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type pg from "pg";
import { sealDeviceKey } from "@zhangfang/domains/devices/server/index.ts";
import { findOrMake } from "@zhangfang/domains/members/server/index.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { addLot, addPoints } from "@zhangfang/domains/value-book/server/index.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { firstStoreOf, idOf, SECRET } from "../actors.ts";
import type { Signer } from "../load/signed-post.ts";
import type { World } from "../world.ts";

const MERCHANT = 602;
const STORE = firstStoreOf(MERCHANT);
const TILLS = [0, 1, 2, 3];
const [P1, MERCHANT_ID, STORE_ID] = [idOf("provider", 1), idOf("merchant", MERCHANT), idOf("store", STORE)];
const where = { service_provider_id: P1, merchant_id: MERCHANT_ID, store_id: STORE_ID };
const SKUS = 20;
const RULE = {
  earn: {
    on: true,
    points: 1,
    perCents: 100,
    storeIds: [],
    storeMultiple: 100,
    weekdays: [],
    weekdayMultiple: 100,
    birthdayMultiple: 100,
    pendingDays: 0,
    dayCap: null,
    onRecharge: false,
  },
  spend: {
    on: true,
    points: 100,
    cents: 100,
    stepPoints: 100,
    leastPoints: 100,
    mostRate: 50_000,
    mostCents: null,
    storeIds: [],
    weekdays: [],
  },
  expiry: { kind: "yearly", months: 12, monthDay: "12-31", yearsBack: 0 },
  graceDays: 30,
  secondAbove: 1_000,
};

/** Twenty lines of goods that the shop knows. */
export const LINES = Array.from({ length: SKUS }, (_none, at) => ({
  place: at + 1,
  sku: `N${at + 1}`,
  name: `商品${at + 1}`,
  units: 1 + (at % 3),
  unitCents: 1_000 + at * 37,
}));

export interface MemberShop {
  readonly tills: readonly Signer[];
  readonly members: readonly string[];
  /** A new ticket of each of these members, fully proved. */
  tickets(members: readonly string[]): Promise<string[]>;
}

/** A store with tills, goods with member prices, rules of points and a level, and members who hold points and stored value of two lots. */
export async function openMemberShop({ connection }: World, owner: pg.Client, members: number): Promise<MemberShop> {
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) };
  const { services, close } = await openServices(config, []);
  try {
    await owner.query("set app.scope = 'PLATFORM||||||||'");
    const tills: Signer[] = [];
    for (const n of TILLS) {
      const [sn, key] = [`MEMBER-${n}`, `bench-key-${n}`.padEnd(43, "0")];
      const id = services.ids.uuid(services.clock.now_ms());
      await owner.query(
        `insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed, last_seen_at, created_at)
         values ($1, $2, $3, $4, $5, 'FACEPOS-F24', $5, $6, now(), now())`,
        [P1, id, MERCHANT_ID, STORE_ID, sn, sealDeviceKey(services, P1, id, key)],
      );
      tills.push({ sn, key });
    }
    const key = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    await withScope(services.pool, platformScope("prepare the benchmark"), (tx) =>
      setChannelSettings(tx, services, {
        serviceProviderId: P1,
        merchantId: MERCHANT_ID,
        channel: 0,
        mode: "direct",
        appId: "wx0123456789abcdef",
        mchId: "1910000602",
        certSerial: "ABCDEF0123456789ABCDEF0123456789ABCDEF01",
        privateKeyPem: key.privateKey,
        apiV3Key: "0123456789abcdef0123456789abcdef",
        platformKeys: { ABCDEF0123456789ABCDEF0123456789ABCDEF01: key.publicKey },
        baseUrl: "https://api.mch.weixin.qq.com",
      }),
    );
    await sellGoods(owner);
    await setRules(owner);
    const made: string[] = [];
    const today = shanghaiDay(services.clock.now_ms());
    for (let n = 0; n < members; n++)
      await withScope(services.pool, platformScope("prepare the benchmark"), async (tx) => {
        const by = { kind: "phone" as const, phone: `137${String(10_000_000 + n)}`, confirmed: true };
        const { id } = await findOrMake(tx, services, { ...where, source: 1, by, stage: 1, name: "文新", by_name: "bench" });
        const holder = { service_provider_id: P1, merchant_id: MERCHANT_ID, member_id: id };
        const poster = { ids: services.ids, now_ms: services.clock.now_ms() };
        for (const principal_cents of [20_000, 80_000])
          await addLot(tx, poster, holder, {
            cause: "opening",
            cause_id: services.ids.uuid(poster.now_ms),
            sold_store_id: STORE_ID,
            mode: "ratio",
            principal_cents,
            gift_cents: principal_cents / 5,
          });
        await addPoints(tx, poster, holder, {
          cause: "points-opening",
          cause_id: id,
          points: 500_000,
          usable_from: today,
          expires_on: null,
          store_id: STORE_ID,
        });
        made.push(id);
      });
    await owner.query(
      `insert into vip_members (service_provider_id, member_id, merchant_id, rank, earned_rank, growth, spent_cents, terms, followed_at)
       select $1, m, $2, 1, 1, 1000, 0, '[]', now() from unnest($3::uuid[]) m`,
      [P1, MERCHANT_ID, made],
    );
    await owner.query("analyze");
    return {
      tills,
      members: made,
      async tickets(of) {
        const tokens = of.map(() => randomBytes(32).toString("base64url"));
        await owner.query(
          `insert into member_tickets (service_provider_id, token_hash, merchant_id, store_id, member_id, proof, created_at, expires_at)
           select $1, h, $2, $3, m, 'full', now(), now() + interval '10 minutes' from unnest($4::bytea[], $5::uuid[]) as t(h, m)`,
          [P1, MERCHANT_ID, STORE_ID, tokens.map((token) => createHash("sha256").update(token).digest()), of],
        );
        return tokens;
      },
    };
  } finally {
    await close();
  }
}

async function sellGoods(owner: pg.Client): Promise<void> {
  await owner.query("insert into merchant_catalogs (service_provider_id, merchant_id, rev) values ($1, $2, 1)", [P1, MERCHANT_ID]);
  await owner.query(
    `insert into products (service_provider_id, id, merchant_id, name, unit, category, tax_code, tax_rate, created_at)
     select $1, md5('p' || n)::uuid, $2, '商品' || n, '件', '分类', '1030307010000000000', 13000, now() from generate_series(1, $3::int) n`,
    [P1, MERCHANT_ID, SKUS],
  );
  await owner.query(
    `insert into product_skus (service_provider_id, id, merchant_id, product_id, sku_no, price_cents, member_cents, rev, created_at)
     select $1, md5('k' || n)::uuid, $2, md5('p' || n)::uuid, 'N' || n, 1000 + (n - 1) * 37, case when n % 2 = 0 then 900 + (n - 1) * 37 end, 1, now()
     from generate_series(1, $3::int) n`,
    [P1, MERCHANT_ID, SKUS],
  );
}
async function setRules(owner: pg.Client): Promise<void> {
  const own = [P1, MERCHANT_ID];
  await owner.query(
    "insert into point_rules (service_provider_id, id, merchant_id, version, rule, said, by_name, created_at) values ($1, gen_random_uuid(), $2, 1, $3, 'bench', 'bench', now())",
    [...own, JSON.stringify(RULE)],
  );
  await owner.query(
    "insert into vip_versions (service_provider_id, merchant_id, kind, version, by_name, created_at) select $1, $2, kind, 1, 'bench', now() from unnest(array['levels', 'rights']) kind",
    own,
  );
  await owner.query(
    "insert into vip_levels (service_provider_id, merchant_id, version, rank, name, basis, threshold) values ($1, $2, 1, 1, '金卡', 'growth', 300)",
    own,
  );
  await owner.query(
    "insert into right_rules (service_provider_id, merchant_id, version, rank, kind, value) values ($1, $2, 1, 1, 'discount', 95), ($1, $2, 1, 1, 'multiple', 150)",
    own,
  );
}
