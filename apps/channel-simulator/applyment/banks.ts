import type { Operation } from "../operation.ts";
import { refuse } from "../reply.ts";
import type { Reply } from "../reply.ts";

const ROOT = "/v3/capital/capitallhh";
const bank = (code: number, name: string, accountBank = "其他银行") => ({
  bank_alias: name,
  bank_alias_code: String(code),
  account_bank: accountBank,
  account_bank_code: accountBank === "其他银行" ? 1099 : 1001,
  need_bank_branch: accountBank === "其他银行",
});
const BANKS = [
  bank(1000009561, "招商银行", "招商银行"),
  bank(1000009580, "成都农村商业银行"),
  bank(1000009547, "成都银行"),
  bank(1000009501, "浙江网商银行"),
  bank(1000009548, "南京银行"),
  ...Array.from({ length: 230 }, (_bank, n) => bank(1000010000 + n, `第${n + 1}村镇银行`)),
];
const PLACES: Readonly<Record<string, readonly [code: number, cities: Readonly<Record<string, number>>]>> = {
  北京市: [1, { 北京市: 10 }],
  上海市: [2, { 上海市: 21 }],
  浙江省: [13, { 杭州市: 571, 宁波市: 574 }],
  广东省: [22, { 广州市: 20, 深圳市: 755 }],
  四川省: [26, { 成都市: 28, 绵阳市: 816 }],
};
const QUARTERS = ["青羊", "锦江", "武侯", "高新", "金牛", "成华"];
/** 南京银行: its list ends before its total. */
const CUT = "1000009548";
/** More than fit on a page. */
const BRANCHES = 240;

/** Banks and their branches, channels.md 1.7: two lists of banks, five provinces with cities, and 240 branches of each bank in each city. */
export function findBankOperation(method: string, url: URL): Operation | undefined {
  if (method !== "GET" || !url.pathname.startsWith(`${ROOT}/`)) return undefined;
  const rest = url.pathname.slice(ROOT.length);
  const operation = (answer: () => Reply): Operation => ({ name: "bank-list", number: rest, answer });
  if (/^\/banks\/(personal|corporate)-banking$/.test(rest)) return operation(() => page(url, BANKS));
  if (rest === "/areas/provinces")
    return operation(() => whole(Object.entries(PLACES).map(([name, [code]]) => ({ province_name: name, province_code: code }))));
  const province = /^\/areas\/provinces\/(\d+)\/cities$/.exec(rest)?.[1];
  if (province !== undefined)
    return operation(() => {
      const found = Object.values(PLACES).find(([code]) => String(code) === province);
      return found ? whole(Object.entries(found[1]).map(([name, code]) => ({ city_name: name, city_code: code }))) : none();
    });
  const code = /^\/banks\/(\d+)\/branches$/.exec(rest)?.[1];
  if (code === undefined) return undefined;
  return operation(() => {
    const of = BANKS.find(({ bank_alias_code }) => bank_alias_code === code);
    const city = Number(url.searchParams.get("city_code"));
    const place = Object.values(PLACES).flatMap(([, cities]) => Object.entries(cities).find(([, one]) => one === city) ?? [])[0];
    if (!of?.need_bank_branch || place === undefined) return none();
    const branches = Array.from({ length: BRANCHES }, (_branch, n) => ({
      bank_branch_name: `${of.bank_alias}${String(place)}${QUARTERS[n % QUARTERS.length]}第${Math.floor(n / QUARTERS.length) + 1}支行`,
      bank_branch_id: `${String(city).padStart(4, "3")}${code.slice(-4)}${String(n).padStart(4, "0")}`,
    }));
    if (code === CUT) return page(url, branches, {}, branches.length + 1);
    return page(url, branches, { bank_alias: of.bank_alias, bank_alias_code: code, account_bank: of.account_bank });
  });
}
const none = (): Reply => refuse(404, "NOT_FOUND", "查询结果为空");
const whole = (data: readonly object[]): Reply => ({ status: 200, body: { data, total_count: data.length } });
function page(url: URL, all: readonly object[], more: object = {}, total_count = all.length): Reply {
  const [offset, limit] = [Number(url.searchParams.get("offset") ?? 0), Number(url.searchParams.get("limit") ?? 0)];
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1 || limit > 200)
    return refuse(400, "PARAM_ERROR", "limit 须为 1 到 200");
  const data = all.slice(offset, offset + limit);
  return { status: 200, body: { ...more, total_count, count: data.length, data, offset, links: { self: url.pathname } } };
}
