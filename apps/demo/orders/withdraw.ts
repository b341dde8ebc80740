import { generateKeyPairSync, randomBytes } from "node:crypto";
import { givePayoutSettings, keepAccount } from "@zhangfang/domains/commissions/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire, untilDone } from "../live.ts";
import { DEMO_PASSWORD } from "../tree/tree-plan.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

const PAYER = { mchId: "1900000208", appId: "wx8888888888888888", certSerial: "5A1C0D2E3F405162738495A6B7C8D9E0F1A2B3C4" };
const DAY_MS = 86_400_000;

/** The first provider's terms and its own account at the simulator, and what its first agent asked for: one withdrawal in each state. */
export async function withdraw(services: Services, tree: DemoTree): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const known = { ...PAYER, publicKeyPem, apiV3Key: randomBytes(16).toString("hex") };
  const { platformKeys } = await wire.post(`${simulator}/_control/merchants`, known);
  const accounts = await withScope(services.pool, platformScope("demo payouts"), async (tx) => {
    const provider = tree.providers.sp01;
    await givePayoutSettings(tx, services, provider, {
      terms: {
        min_cents: 100,
        fee_fixed_cents: 0,
        fee_rate: 600,
        freeze_days: 0,
        unapproved_up_to_cents: 0,
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        from_hour: 0,
        to_hour: 24,
      },
      channel: {
        ...PAYER,
        sceneId: "1005",
        privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        platformKeys: platformKeys as Record<string, string>,
        apiV3Key: known.apiV3Key,
        appSecret: "5d2c0b1a9f8e7d6c5b4a39281706f5e4",
        baseUrl: simulator,
      },
      version: 0,
      by: "sp01",
    });
    const owner = {
      agent_id: tree.agents.agent01,
      business_group_id: null,
      business_team_id: null,
      salesman_id: null,
      receiver_id: tree.agents.agent01,
    };
    // A new account waits for a day.
    const before = { ...services, clock: { now_ms: () => services.clock.now_ms() - 2 * DAY_MS } };
    const keep = async (given: Parameters<typeof keepAccount>[3]) =>
      (await keepAccount(tx, before, { provider, receiver: "agent", owner }, given, "agent01")).id;
    return {
      bank: await keep({ method: "bank", number: "6228480402564890018", holder: "周锦", bankName: "农业银行成都分行" }),
      wechat: await keep({ method: "wechat", number: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", holder: "周锦" }),
    };
  });
  await play(services, { wire, simulator, api, accounts });
}

interface Stage {
  readonly wire: ReturnType<typeof openWire>["wire"];
  readonly simulator: string;
  readonly api: string;
  readonly accounts: Readonly<Record<"bank" | "wechat", string>>;
}
async function play(services: Services, { wire, simulator, api, accounts }: Stage): Promise<void> {
  const [agent, boss] = [
    { authorization: `Bearer ${await signIn(services, "agent01")}` },
    { authorization: `Bearer ${await signIn(services, "sp01")}` },
  ];
  const post = (path: string, body: object, who: Record<string, string>) =>
    wire.post(`${api}/api/commissions/withdrawals${path}?_t=1`, body, who);
  const apply = async (method: "bank" | "wechat", amountCents: number) => {
    const requestId = services.ids.uuid(services.clock.now_ms());
    const made = await post("", { requestId, accountId: accounts[method], amountCents, password: DEMO_PASSWORD }, agent);
    return { id: String(made["id"]), outBillNo: String(made["withdrawalNo"]) };
  };
  const decide = (id: string, given: { decision: string; note?: string }) =>
    post("/decide", { requestId: services.ids.uuid(services.clock.now_ms()), id, ...given }, boss);
  const approve = (id: string) => decide(id, { decision: "approve" });
  const record = (id: string, result: string, evidence: string) => post("/record", { id, result, evidence }, boss);
  const rejected = await apply("bank", 150);
  await decide(rejected.id, { decision: "reject", note: "开户行名称不完整，请更换收款账户" });
  await post("/cancel", { id: (await apply("wechat", 120)).id }, agent);
  const failed = await apply("bank", 130);
  await approve(failed.id);
  await record(failed.id, "failed", "户名与账号不符");
  const returned = await apply("bank", 140);
  await approve(returned.id);
  await record(returned.id, "paid", "20261118000123");
  await record(returned.id, "returned", "收款账户已销户，银行退票");
  const paid = await apply("wechat", 160);
  await approve(paid.id);
  const onItsWay = await apply("wechat", 110);
  await approve(onItsWay.id);
  await apply("bank", 180);
  // The payee confirms the one in WeChat; the other still waits.
  await untilDone(() => wire.post(`${simulator}/_control/transfer`, { outBillNo: paid.outBillNo, result: "SUCCESS" }));
  // Word of it comes by itself, as from the channel.
  await untilDone(async () => {
    const { status } = await wire.get(`${api}/api/commissions/withdrawals/${paid.id}?_t=1`, boss);
    if (status !== 3) throw new Error("the payee's money has not arrived");
  });
}
