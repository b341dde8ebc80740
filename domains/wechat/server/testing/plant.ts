import { randomUUID } from "node:crypto";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { sealSecret } from "../apps/app-keys.ts";
import { giveWechat } from "../calls/send-wechat.ts";
import { fanCode } from "../fans/fan-code.ts";

/** A merchant's official account, with the link of one who follows it. */
export interface AppFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly code: string;
  /** Its follower, who follows by its code, and that code's id; the follow itself. */
  readonly fan: string;
  readonly channel: string;
  readonly follow: string;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
async function addApps(soil: Soil): Promise<readonly AppFact[]> {
  // Nobody answers there.
  giveWechat(soil.services, "http://127.0.0.1:9");
  const facts: AppFact[] = [];
  for (const [n, merchant] of MERCHANTS.entries()) {
    const body = { requestId: randomUUID(), appId: `wx${String(n).padStart(16, "a")}`, name: `公众号 ${merchant}`, kind: 1 };
    const answer = await soil.send(merchant, { verb: "POST", path: "/api/wx-apps/add", body });
    const { id } = answer.body as { id: string };
    const [fan, channel, follow] = [randomUUID(), randomUUID(), randomUUID()];
    const { rows } = await soil.owner.query<{ service_provider_id: string; created_at: string }>(
      "select service_provider_id, created_at from wx_apps where id = $1",
      [id],
    );
    const { service_provider_id, created_at } = rows[0]!;
    const store = soil.till.tree.merchants[merchant].stores[0]!.id;
    const secret = sealSecret(soil.services, { service_provider_id, id }, "0123456789abcdef".repeat(2));
    await soil.owner.query("update wx_apps set secret_sealed = $2, secret_at = created_at where id = $1", [id, secret]);
    await soil.owner.query(
      `insert into wx_fan_channels (service_provider_id, merchant_id, app_row, id, kind, store_id, name, scene, status, why, by_name, created_at)
        select service_provider_id, merchant_id, id, $2, 'store', $3, '一号店', $4, 2, '没有做成', '陈', created_at from wx_apps where id = $1`,
      [id, channel, store, soil.services.ids.digits(24)],
    );
    await soil.owner.query(
      `insert into wx_fans (service_provider_id, merchant_id, app_row, id, openid_hash, openid_sealed, following, first_at, changed_at, known_at,
          first_channel, last_channel, first_follow, last_follow)
        select service_provider_id, merchant_id, id, $2, uuid_send($2), 'sealed', true, created_at, created_at, created_at, $3, $3, created_at, created_at
        from wx_apps where id = $1`,
      [id, fan, channel],
    );
    await soil.owner.query(
      `insert into wx_fan_events (service_provider_id, merchant_id, app_row, fan_id, id, event, occurred_at, heard_at, channel_id)
        select service_provider_id, merchant_id, id, $2, gen_random_uuid(), 'subscribe', created_at, created_at, $3 from wx_apps where id = $1`,
      [id, fan, channel],
    );
    await soil.owner.query(
      `insert into wx_follows (service_provider_id, merchant_id, app_row, fan_id, id, from_at, from_day, channel_id, store_id)
        select service_provider_id, merchant_id, id, $2, $5, created_at, $6, $3, $4 from wx_apps where id = $1`,
      [id, fan, channel, store, follow, shanghaiDay(Date.parse(created_at))],
    );
    await soil.owner.query(
      `insert into wx_menus (service_provider_id, merchant_id, app_row, draft, by_name, updated_at)
        select service_provider_id, merchant_id, id, '[]', '别人', created_at from wx_apps where id = $1`,
      [id],
    );
    facts.push({ id, merchant, code: fanCode(soil.services, fan), fan, channel, follow });
  }
  return facts;
}
export const appFacts = plant(addApps);

/** A group note of a merchant, made by somebody else: a draft, one that waits for a yes, one that is being sent, and one that was sent. */
export interface NoteFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly what: "draft" | "review" | "sending" | "sent";
  readonly appId: string;
}
async function addNotes(soil: Soil): Promise<readonly NoteFact[]> {
  const facts: NoteFact[] = [];
  for (const { id: appId, merchant } of soil.of(appFacts))
    for (const what of ["draft", "review", "sending", "sent"] as const) {
      const [id, batch, picture] = [randomUUID(), randomUUID(), randomUUID()];
      const decided = what === "sending" || what === "sent";
      await soil.owner.query(
        `insert into wx_notes (service_provider_id, merchant_id, id, app_row, name, state, kind, content, audience, made_by, made_by_name, decided_by, decided_at,
            frozen_at, people, created_at, updated_at)
          select service_provider_id, merchant_id, $2, id, '群发 ' || $3, $3, 'text', $4, $5, gen_random_uuid(), '别人', case when $6 then gen_random_uuid() end,
            case when $6 then created_at end, case when $6 then created_at end, case when $6 then 2 end, created_at, created_at from wx_apps where id = $1`,
        [appId, id, what, JSON.stringify(CONTENT), JSON.stringify({ everybody: true }), decided],
      );
      await soil.owner.query(
        `insert into wx_note_pictures (service_provider_id, merchant_id, id, bytes, created_at)
          select service_provider_id, merchant_id, $2, 'x', created_at from wx_apps where id = $1`,
        [appId, picture],
      );
      if (decided) {
        await soil.owner.query(
          `insert into wx_note_batches (service_provider_id, merchant_id, app_row, note_id, id, place, everybody, state, people, period, msg_id, asked_at, next_at)
            select service_provider_id, merchant_id, id, $2, $3, 1, false, $4, 1, '2026-01-01', $5, created_at, 'infinity' from wx_apps where id = $1`,
          [appId, id, batch, what === "sent" ? "sent" : "asked", what === "sent" ? `1${facts.length}` : null],
        );
        await soil.owner.query(
          `insert into wx_note_fans (service_provider_id, merchant_id, note_id, fan_id, batch_id)
            select service_provider_id, merchant_id, $2, id, $3 from wx_fans where app_row = $1 limit 1`,
          [appId, id, batch],
        );
      }
      if (what === "sent") {
        await soil.owner.query(
          `insert into wx_fan_quota (service_provider_id, merchant_id, fan_id, period, used) select service_provider_id, merchant_id, id, '2026-01-01', 2
            from wx_fans where app_row = $1 limit 1`,
          [appId],
        );
        await soil.owner.query(
          `insert into wx_mass_results (service_provider_id, merchant_id, app_row, id, msg_id, status, sent, filtered, errors, heard_at)
            select service_provider_id, merchant_id, id, $2, $3, 'send success', 1, 0, 0, created_at from wx_apps where id = $1`,
          [appId, randomUUID(), `1${facts.length}`],
        );
      }
      facts.push({ id, merchant, what, appId });
    }
  return facts;
}
/** What a note says, as the contract fills it in. */
export const CONTENT = { text: "红汤给你热着", picture: null, title: "", digest: "", body: "", link: { to: "member", url: "" } } as const;
export const noteFacts = plant(addNotes);

/** With what a merchant came back from WeChat's page. */
export const stateOf = (merchant: MerchantKey): string => merchant.padEnd(43, "x");
/** A provider's 第三方平台, without a ticket; and of each merchant an authorisation that is done. */
export interface ComponentFact {
  readonly id: string;
  readonly provider: "sp01" | "sp02";
}
async function addComponents(soil: Soil): Promise<readonly ComponentFact[]> {
  const facts: ComponentFact[] = [];
  for (const provider of ["sp01", "sp02"] as const) {
    const body = { revision: 0, appId: `wx${provider.slice(2).padStart(16, "c")}`, secret: "0123456789abcdef".repeat(2) };
    await soil.send(provider, { verb: "POST", path: "/api/wx-components/save", body });
    const { rows } = await soil.owner.query<{ id: string }>("select id from wx_components where app_id = $1", [body.appId]);
    facts.push({ id: rows[0]!.id, provider });
  }
  for (const { id, merchant } of soil.of(appFacts))
    await soil.owner.query(
      `insert into wx_authorisations (service_provider_id, id, merchant_id, app_row, made_by, by_name, state_hash, state, created_at, ends_at, ended_at)
        select a.service_provider_id, gen_random_uuid(), a.merchant_id, a.id, u.id, '陈', $3, 'done', a.created_at, a.created_at, a.created_at
        from wx_apps a, users u where a.id = $1 and u.login = $2`,
      [id, merchant, sha256(stateOf(merchant))],
    );
  return facts;
}
export const componentFacts = plant(addComponents);
