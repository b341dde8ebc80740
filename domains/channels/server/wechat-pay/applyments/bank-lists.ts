import { z } from "zod";
import type { ChannelAccount, Outcome } from "../../channel.ts";
import type { BankEntry, BankList } from "../../types/applyments.ts";
import { FIND_APPLYMENT } from "../read/refusals.ts";
import { type Means, sendRequest } from "../signing/send-request.ts";

const ROOT = "/v3/capital/capitallhh";
/** As many as one call may bring, by the SDKs' examples. */
const PAGE = 200;
/** The personal list had 4,446 in WeChat Pay's own example. */
const MOST_PAGES = 60;
const code = z.union([z.int(), z.string().regex(/^\d{1,32}$/)]).transform(String);
const name = z.string().min(1).max(128);
const bank = z
  .object({ bank_alias: name, bank_alias_code: code, account_bank: name, need_bank_branch: z.boolean() })
  .transform((one): BankEntry => ({
    code: one.bank_alias_code,
    name: one.bank_alias,
    accountBank: one.account_bank,
    needsBranch: one.need_bank_branch,
  }));
const province = z
  .object({ province_name: name, province_code: code })
  .transform((one): BankEntry => ({ code: one.province_code, name: one.province_name }));
const city = z.object({ city_name: name, city_code: code }).transform((one): BankEntry => ({ code: one.city_code, name: one.city_name }));
const branch = z
  .object({ bank_branch_name: name, bank_branch_id: code })
  .transform((one): BankEntry => ({ code: one.bank_branch_id, name: one.bank_branch_name }));
const pageOf = (entry: z.ZodType<BankEntry>) => z.object({ total_count: z.int(), data: z.array(entry).nullish() });

interface Way {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly entry: z.ZodType<BankEntry>;
  readonly paged: boolean;
}
function wayOf(list: BankList): Way {
  switch (list.kind) {
    case "banks":
      return { path: `${ROOT}/banks/${list.of}-banking`, query: {}, entry: bank, paged: true };
    case "provinces":
      return { path: `${ROOT}/areas/provinces`, query: {}, entry: province, paged: false };
    case "cities":
      return { path: `${ROOT}/areas/provinces/${encodeURIComponent(list.province)}/cities`, query: {}, entry: city, paged: false };
    case "branches":
      return {
        path: `${ROOT}/banks/${encodeURIComponent(list.bank)}/branches`,
        query: { city_code: list.city },
        entry: branch,
        paged: true,
      };
  }
}

/**
 * /v3/capital/capitallhh (pay.weixin.qq.com/doc/v3/partner/4012697673, 4012697470, 4012698641): the whole of a list, page by page. Paths,
 * parameters and names of banks and places are from the official pages; `bank_branch_name`, `bank_branch_id`, and that a page may hold 200
 * are known from SDKs alone. A list that ends before its own total is not known: half of it would pass for the whole.
 */
export async function readBankList(means: Means, account: ChannelAccount, list: BankList): Promise<Outcome<readonly BankEntry[]>> {
  const { path, query, entry, paged } = wayOf(list);
  const shape = pageOf(entry);
  const found: BankEntry[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = new URLSearchParams({ ...query, ...(paged && { offset: String(found.length), limit: String(PAGE) }) }).toString();
    const answer = await sendRequest(means, account, {
      method: "GET",
      path: asked === "" ? path : `${path}?${asked}`,
      refusals: FIND_APPLYMENT,
      read: (status, body) => (status === 200 ? shape.safeParse(body).data : undefined),
    });
    if (answer.kind !== "ok") return answer;
    const { data, total_count } = answer.value;
    found.push(...(data ?? []));
    if (!paged || found.length >= total_count) return { kind: "ok", value: found };
    if (!data?.length) break;
  }
  return { kind: "unknown", reason: `the list ended after ${found.length}, before its total` };
}
