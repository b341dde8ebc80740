import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
/** Every screen of the product that is a list, by its room and file. */
const SCREENS: ReadonlyMap<string, string> = new Map(
  globSync("domains/*/web/**/*.tsx", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.tsx"))
    .map((file) => [`${file.split("/")[1]}/${basename(file, ".tsx")}` as string, readFileSync(join(ROOT, file), "utf8")] as const)
    .filter(([, text]) => text.includes("<ListScreen")),
);

/** Lists (docs: screens.md, 'Common to every list') whose rows have no address, and why. */
const WITHOUT_ADDRESS: Readonly<Record<string, string>> = {
  "statistics/AbnormalStores": "a finding is dealt with where it stands; the store behind it has the address",
  "reference/CityList": "a row is a short name and a switch",
  "exports/ExportFiles": "a row is a file, which is fetched by its own act",
  "group-buy/GroupBuyEntries": "a row is an entry of the book, whole as it stands; the voucher's number finds it",
  "member-cards/Holders": "a row is the whole record; the card's number finds it",
  "statistics/MerchantsProfit": "a row is a sum; its figures open the rows they are made of",
  "reference/ProvinceList": "a row is a short name and a switch",
  "vip/TimesUses": "a row is the whole record; the card's number finds it",
};

/** Lists that no file is made of (screens.md: 'export of the whole filter as a job'), and why. What people count, file or send on has a file. */
const WITHOUT_FILE: Readonly<Record<string, string>> = {
  // Settings and rights: a handful of rows, changed where they stand.
  "accounts/AccountList": "who may sign in, with what: read and changed here alone; what they did is in 操作日志 and its file",
  "accounts/PositionList": "positions are settings",
  "accounts/StaffList": "who may sign in, with what: read and changed here alone; what they did is in 操作日志 and its file",
  "integrations/PushEndpoints": "addresses and keys of programs",
  "invoices/SubjectList": "the settings of who invoices",
  "member-cards/ActivityList": "a few settings; what they gave is in the file of cards that are held",
  "member-cards/AreaList": "what a card may do where: settings of cards that have a file",
  "member-cards/BindingList": "which card is handed out where: settings",
  "member-cards/GrantList": "who may change a card: settings",
  "member-cards/WxCardList": "the copies at WeChat of cards that have a file",
  "organisation/SiteList": "pages that are edited",
  "store-hardware/PrinterList": "a few devices of a store with their settings; those of the platform have files",
  "store-hardware/SpeakerList": "a few devices of a store with their settings; those of the platform have files",
  "stores/GuideList": "who is registered at the channel: settings of employees",
  "stores/OtherStoreList": "which store is which at a platform: settings, made by an import",
  "stores/StoreSets": "groups and areas: settings of stores, whose file names them",
  "stores/WxStoreList": "each store's number at the channel: settings of stores, which have a file",
  "wechat/WxApps": "apps and their keys",
  // Words to choose from.
  "reference/CityList": "reference",
  "reference/ProvinceList": "reference",
  "reference/TradeList": "reference",
  // The rows are in another file, or on paper of their own.
  "applyment/DossierList": "dossiers are sealed; what is sent on is the package of each",
  "coupons/DifferenceList": "what waits to be put right; the coupons have a file",
  "exports/ExportFiles": "the files themselves",
  "invoices/RedList": "steps of a red letter; the invoices, red ones too, have a file",
  "orders/CommentStores": "sums of comments, which have a file",
  "platforms/GoodsList": "what the platform told last; the goods and the vouchers have files",
  "points/ClearList": "rounds; each member's change is in the points' file",
  "points/TaskList": "tasks; each member's change is in the file of 积分调整",
  "reconciliation/StoreDayList": "one day of each store, as its page prints it; the days' figures have a file",
  "stored-value/OtherLotList": "what is chosen from for a card refund, which has a file; the balances have one",
  "wechat/FanChannels": "codes to hang up, fetched as pictures",
  "wechat/FansSummary": "who came and went; the fans have a file",
};

test("there are as many list screens as the tables were made for", () => expect(SCREENS.size).toBeGreaterThan(90));
test("every list's row can be opened in a new tab by its address, or it is said why not", () => {
  const linked = (text: string) => !text.includes("onOpen={false}") || /\bc\.link\(|\bopening\(|<Link\b/.test(text);
  const without = [...SCREENS].filter(([, text]) => !linked(text)).map(([name]) => name);
  expect(without.filter((name) => !WITHOUT_ADDRESS[name])).toEqual([]);
  expect(Object.keys(WITHOUT_ADDRESS).filter((name) => !SCREENS.has(name))).toEqual([]);
});
test("every list has a file of its whole filter, or it is said why not", () => {
  const without = [...SCREENS].filter(([, text]) => !text.includes("exportSource")).map(([name]) => name);
  expect(without.filter((name) => !WITHOUT_FILE[name])).toEqual([]);
  // Who has a file by now needs no reason.
  expect(Object.keys(WITHOUT_FILE).filter((name) => !without.includes(name))).toEqual([]);
});
