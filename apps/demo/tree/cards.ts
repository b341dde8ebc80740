import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { giveCard } from "@zhangfang/domains/member-cards/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoTree } from "./tree.ts";

const RIGHTS = "1. 会员价：带「会员」标的菜按会员价\n2. 积分：每消费 1 元得 1 分\n3. 生日当月到店送一份小吃";
/** Of each merchant: the card that everybody gets who joins, what else there is, and how many hold the first. */
const CARDS = {
  mch01: {
    usual: { name: "蜀味会员卡", tone: "COLOR100", notice: "结账前请出示", phone: "028-86668888", rights: RIGHTS },
    others: [
      { name: "城东邻里卡", tone: "COLOR020", notice: "城东门店专享", rights: "城东门店工作日午市享会员价" },
      { name: "十周年纪念卡", tone: "COLOR070", rights: "周年活动期间使用" },
    ],
    holders: 60,
  },
  mch02: {
    usual: { name: "江南小笼卡", tone: "COLOR030", notice: "点单时请出示", phone: "0571-87776666", rights: RIGHTS },
    others: [],
    holders: 20,
  },
} as const;

/** Cards of two merchants through the product's own calls, and members who hold them. */
export async function fillCards(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  for (const [login, { usual, others, holders }] of Object.entries(CARDS)) {
    const headers = { authorization: `Bearer ${await signIn(services, login)}` };
    const post = (path: string, body: object) => wire.post(`${api}/api/member-cards/${path}`, body, headers);
    const make = async (face: object, ...moves: readonly (readonly [number, number])[]): Promise<string> => {
      const id = String((await post("add", face))["id"]);
      for (const [from, to] of moves) await post("move", { id, from, to });
      return id;
    };
    const id = await make(usual, [0, 1], [1, 2]);
    const [neighbours, draft] = others;
    if (neighbours) await makeNarrow(await make(neighbours, [0, 1], [1, 2]));
    if (draft) await make(draft);
    await post("wx/create", { id, api: "open" });
    const today = shanghaiDay(services.clock.now_ms());
    const gift = { points: 100, pointsDays: 180, giftCents: 500, mostCount: 500, budgetCents: 100_000 };
    const { id: activity } = await post("activities/add", {
      cardId: id,
      name: "开卡有礼",
      firstDay: today,
      lastDay: addDays(today, 60),
      ...gift,
    });
    await post("activities/move", { id: activity, from: 0, to: 1 });
    await hold(services, tree.merchants[login as "mch01"], id, holders);

    async function makeNarrow(card: string): Promise<void> {
      const { areas, revision } = (await wire.get(`${api}/api/member-cards/areas/${card}`, headers)) as {
        areas: { id: string }[];
        revision: number;
      };
      if (areas[0]) await post("areas/set", { id: card, revision, everywhere: false, areaIds: [areas[0].id] });
    }
  }
}
async function hold(
  services: Services,
  merchant: DemoTree["merchants"][keyof DemoTree["merchants"]],
  card_id: string,
  most: number,
): Promise<void> {
  const { serviceProviderId: service_provider_id, id: merchant_id, stores } = merchant;
  await withScope(services.pool, platformScope("demo cards"), async (tx) => {
    const members = await tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(most)
      .execute();
    for (const [n, { id: member_id }] of members.entries())
      await giveCard(tx, services, {
        service_provider_id,
        merchant_id,
        store_id: stores[n % stores.length]!.id,
        member_id,
        way: "till",
        by_name: "收银端",
        card_id,
      });
  });
}
