import { setTimeout as wait } from "node:timers/promises";
import { giveApplymentAccount } from "@zhangfang/domains/applyment/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { poster } from "../ads/poster.ts";
import { openWire, type DemoChannels } from "../live.ts";
import { signIn, type DemoTree } from "./tree.ts";

const PICTURES = ["legal.idFront", "legal.idBack", "licence.picture"];
const LISTS = ["store.entrance", "store.indoor"];
/** Nobody's numbers, with their check digits. */
const PERSON = {
  "contact.type": "LEGAL",
  "contact.name": "陈志强",
  "contact.phone": "13880019021",
  "contact.mail": "chen@example.com",
  "legal.idType": "IDENTIFICATION_TYPE_IDCARD",
  "legal.name": "陈志强",
  "legal.idNumber": "510107198811032513",
  "legal.begin": "2021-06-30",
  "legal.end": "2041-06-30",
  "subject.type": "SUBJECT_TYPE_INDIVIDUAL",
  "licence.person": "陈志强",
  "licence.begin": "2021-04-02",
  "licence.end": "长期",
  "business.phone": "028-87654321",
  "business.scenes": ["SALES_SCENES_STORE"],
  "store.area": "510104",
  "settlement.id": "719",
  "settlement.trade": "餐饮",
  "account.type": "BANK_ACCOUNT_TYPE_PERSONAL",
  "account.name": "陈志强",
  "account.bank": "工商银行",
  "account.area": "510100",
  "account.number": "6222024402018374656",
};
const SHOPS = {
  sign: {
    "licence.number": "92510104MA6CGHJK23",
    "licence.name": "成都市锦江区悦颜美容馆",
    "business.shortName": "悦颜美容",
    "store.name": "悦颜美容金融城店",
    "store.address": "交子大道 88 号",
    "settlement.trade": "休闲娱乐",
  },
  finished: {
    "licence.number": "92510107MA62NKTF41",
    "licence.name": "成都市武侯区老成都面馆",
    "business.shortName": "老成都面馆",
    "store.name": "老成都面馆玉林店",
    "store.address": "玉林西路 36 号",
  },
  /** Its short name only says what it sells: it comes back. */
  rejected: {
    "licence.number": "92510106MA6BT0YD31",
    "licence.name": "成都市金牛区晨光便利店",
    "business.shortName": "便利店",
    "store.name": "晨光便利一店",
    "store.address": "一环路北三段 1 号",
    "settlement.trade": "零售",
  },
};
/** Half of what a company has to say. */
const HALF = {
  "contact.type": "SUPER",
  "contact.name": "周敏",
  "contact.phone": "13880017766",
  "contact.mail": "zhou@example.com",
  "subject.type": "SUBJECT_TYPE_ENTERPRISE",
  "licence.number": "91510100MA6CGHJK2C",
  "licence.name": "成都百草堂医药有限公司",
  "licence.begin": "2019-08-12",
  "licence.end": "长期",
  "business.shortName": "百草堂药房",
  "business.scenes": ["SALES_SCENES_STORE"],
  "settlement.id": "716",
};
const changesOf = (values: Readonly<Record<string, string | string[]>>) =>
  Object.entries(values).map(([path, value]) => ({ path, value, version: 0 }));
/** 审核 and 开通 at the simulator, with some time to spare. */
const [AUDIT_MS, OPENING_MS] = [6_000, 4_000];
/** Of half a second each. */
const TRIES = 180;

/** The first provider's 进件账户, an application that waits for its signature, one that was rejected, one of a new merchant that is finished, and papers that are half filled in. */
export async function fillApplyments(services: Services, tree: DemoTree, { partner }: DemoChannels): Promise<void> {
  const { wire, api, simulator } = openWire(services);
  await withScope(services.pool, platformScope("demo onboarding"), (tx) =>
    giveApplymentAccount(tx, services, tree.providers.sp01, partner),
  );
  const office = { authorization: `Bearer ${await signIn(services, "sp01")}` };
  const post = (path: string, body: object) => wire.post(`${api}/api/${path}?_t=1`, body, office);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const added = await post("organisation/merchants/add", {
    requestId: requestId(),
    name: "成都市武侯区老成都面馆",
    shortName: "老成都面馆",
    trade: "餐饮",
    province: "四川省",
    city: "成都市",
    address: "武侯区玉林西路 36 号",
    contactName: "陈志强",
    contactPhone: "13880019021",
    login: "noodles01",
  });
  const apply = async (merchantId: string, shop: object): Promise<{ id: string; code: string }> => {
    const file = async (at: number) => {
      const base64 = poster(320, 200, [40 + 30 * at, 60, 110], [200, 180, 120 + 20 * at]).toString("base64");
      return String((await post("applyments/files/add", { merchantId, base64 }))["id"]);
    };
    const pictures = await Promise.all(PICTURES.map(async (path, at) => ({ path, value: await file(at), version: 0 })));
    const lists = await Promise.all(LISTS.map(async (path, at) => ({ path, value: [await file(at + PICTURES.length)], version: 0 })));
    const kept = await post("applyments/dossier/save", {
      merchantId,
      changes: [...changesOf({ ...PERSON, ...shop }), ...pictures, ...lists],
    });
    const id = String(
      (await post("applyments/submit", { requestId: requestId(), merchantId, versions: kept["versions"], submissions: 0 }))["id"],
    );
    // The job comes round each three seconds, on a machine that makes the rest of the demo meanwhile.
    for (let times = 0; times < TRIES; times++) {
      const one = await wire.get(`${api}/api/applyments/one?id=${id}&_t=1`, office);
      if (one["state"] === "AUDITING") return { id, code: String(one["code"]) };
      await wait(500);
    }
    throw new Error("an application of the demo's was not taken");
  };
  const [waiting, rejected, finished] = await Promise.all([
    apply(tree.merchants.mch06.id, SHOPS.sign),
    apply(tree.merchants.mch03.id, SHOPS.rejected),
    apply(String(added["id"]), SHOPS.finished),
    post("applyments/dossier/save", { merchantId: tree.merchants.mch05.id, changes: changesOf(HALF) }),
  ]);
  // Papers as a file for another channel, and a link at which a merchant goes on by itself.
  await post("applyments/packages/add", { requestId: requestId(), merchantId: tree.merchants.mch06.id, channel: "alipay" });
  await post("applyments/links/add", { requestId: requestId(), merchantId: tree.merchants.mch05.id, steps: [3, 5], days: 30 });
  await wait(AUDIT_MS);
  await post("applyments/ask", { id: waiting.id });
  await post("applyments/ask", { id: rejected.id });
  await wire.post(`${simulator}/_control/applyment`, { code: finished.code, act: "sign" });
  await wait(OPENING_MS);
  await post("applyments/ask", { id: finished.id });
}
