import { sql } from "kysely";
import { z } from "zod";
import { line } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { addUser, unknownPassword } from "../../../accounts/server/index.ts";
import { divisionsNamed } from "../../../reference/server/index.ts";
import { newMerchantFacts } from "../../contract/index.ts";
import { makeMerchant, type NewMerchant } from "./add-merchant-account.ts";

const COLUMNS: readonly ImportColumn[] = [
  { key: "name", label: "商户名称", also: ["名称", "商户全称"], required: true, example: "成都青石茶业有限公司", width: 30 },
  { key: "shortName", label: "商户简称", also: ["简称"], required: true, example: "青石茶业", width: 16 },
  { key: "contactName", label: "联系人", required: true, example: "王青", width: 10 },
  { key: "contactPhone", label: "联系电话", also: ["手机号", "电话"], required: true, example: "13800001234", width: 16 },
  { key: "login", label: "登录名", also: ["账号"], required: true, unique: true, example: "qingshi", help: "建后不能修改", width: 16 },
  { key: "trade", label: "行业", example: "餐饮", width: 12 },
  { key: "province", label: "省份", also: ["省"], example: "四川省", width: 12 },
  { key: "city", label: "城市", also: ["市"], example: "成都市", width: 12 },
  { key: "address", label: "详细地址", also: ["地址"], example: "青羊区文殊院街 1 号", width: 30 },
  { key: "servicePhone", label: "客服电话", example: "400-800-1234", width: 16 },
  { key: "licenceNo", label: "营业执照号", also: ["统一社会信用代码"], example: "91510105MA6XXXXX0L", width: 22 },
  { key: "legalPerson", label: "法定代表人", also: ["法人"], example: "王青", width: 12 },
  { key: "salesman", label: "业务员", example: "", help: "写姓名；带出他的团队或代理商", width: 12 },
];
/** What only a provider gives. */
const OF_PROVIDER: readonly ImportColumn[] = [
  { key: "agent", label: "代理商", example: "", help: "写名称", width: 16 },
  { key: "team", label: "业务团队", also: ["团队"], example: "", help: "写名称", width: 16 },
  { key: "rate", label: "费率", also: ["费率%", "费率（%）"], example: "0.38%", help: "留空则用服务商的默认费率", width: 10 },
];

const { agentId: _a, businessTeamId: _t, salesmanId: _s, feeRate: _f, ...facts } = newMerchantFacts.shape;
/** The form's facts, with names where the form has ids. */
const row = z.object({
  ...facts,
  agent: line(64).optional(),
  team: line(64).optional(),
  salesman: line(64).optional(),
  rate: z
    .string()
    .regex(/^\d{1,2}(?:\.\d{1,3})?%?$/, "费率写百分数，如 0.38%")
    .transform((text) => Math.round(Number.parseFloat(text) * 1000))
    .optional(),
});
type Row = z.output<typeof row>;

/** Merchants from a sheet, each with its first account; that one gets its first password when it is asked for. */
export const merchantImport: ImportSource<typeof row, NewMerchant> = {
  name: "merchants",
  title: "商户",
  unit: "家",
  access: "/merchants/merchants/import",
  screen: "/merchants/merchants",
  columns: (scope) => (scope.level === "SP" ? [...COLUMNS, ...OF_PROVIDER] : COLUMNS),
  row,
  titleKey: "name",
  check: checkRows,
  async create(author, tx, value) {
    const hash = await unknownPassword();
    const once = { createdBy: author.principal.id, oneTimeUntil: author.now };
    const { id } = await makeMerchant(author, tx, value, {
      add: async (own, user) => void (await addUser(own, author.services, user, hash, once)),
    });
    return id;
  },
  async accountsOf(tx, ids) {
    const { rows } = await sql<{ madeId: string; userId: string; login: string }>`
      select merchant_id as "madeId", id as "userId", login from users
      where level = 'MCH' and login = root_login and merchant_id = any(${ids}::uuid[])`.execute(tx);
    return rows;
  },
};

async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<NewMerchant>[]> {
  const divisions = await divisionsNamed(tx, rows);
  const [trades, logins, agents, teams, salesmen] = [
    await openTrades(tx, rows),
    await takenLogins(tx, scope, rows),
    await named(
      tx,
      scope,
      "agents",
      rows.map(({ agent }) => agent),
    ),
    await named(
      tx,
      scope,
      "business_teams",
      rows.map(({ team }) => team),
    ),
    await named(
      tx,
      scope,
      "salesmen",
      rows.map(({ salesman }) => salesman),
    ),
  ];
  return rows.map((given) => {
    const { agent, team, salesman, rate, ...rest } = given;
    const errors: Record<string, string> = {};
    const login = logins.get(given.login.toLowerCase());
    if (login !== undefined && login === given.name) return { there: true };
    if (login !== undefined) errors["login"] = "账号已存在，请更换登录名";
    if (given.trade !== undefined && !trades.has(given.trade)) errors["trade"] = `没有行业「${given.trade}」`;
    const place = divisions(given);
    if ("errors" in place) Object.assign(errors, place.errors);
    const pick = (key: string, what: string, of: Map<string, string[]>, name: string | undefined): string | undefined => {
      if (name === undefined) return undefined;
      const found = of.get(name) ?? [];
      if (found.length !== 1)
        errors[key] = found.length === 0 ? `没有${what}「${name}」` : `有 ${found.length} 个${what}叫「${name}」，请在页面中调整归属`;
      return found[0];
    };
    const [agentId, businessTeamId, salesmanId] = [
      pick("agent", "代理商", agents, agent),
      pick("team", "业务团队", teams, team),
      pick("salesman", "业务员", salesmen, salesman),
    ];
    if (Object.keys(errors).length > 0) return { errors };
    return {
      value: {
        ...rest,
        ...("errors" in place ? {} : place),
        ...(agentId && { agentId }),
        ...(businessTeamId && { businessTeamId }),
        ...(salesmanId && { salesmanId }),
        ...(rate !== undefined && { feeRate: rate }),
      },
    };
  });
}

async function openTrades(tx: Transaction, rows: readonly Row[]): Promise<Set<string>> {
  const given = rows.flatMap(({ trade }) => trade ?? []);
  const { rows: found } = await sql<{ name: string }>`
    select name from trades where parent_id is not null and enabled and name = any(${given}::text[])`.execute(tx);
  return new Set(found.map(({ name }) => name));
}
/** Logins that somebody has, with the name of the merchant in sight whose first account it is. */
async function takenLogins(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Map<string, string>> {
  const given = rows.map(({ login }) => login.toLowerCase());
  const { rows: found } = await sql<{ login: string; name: string | null }>`
    select t.login, m.name from unnest(app.logins_taken(${given}::text[])) as t(login)
      left join users u on lower(u.login) = t.login and u.level = 'MCH' and u.login = u.root_login
      left join merchants m on m.service_provider_id = u.service_provider_id and m.id = u.merchant_id and ${inScope(scope, "m")}`.execute(
    tx,
  );
  return new Map(found.map(({ login, name }) => [login, name ?? ""]));
}
/** Open nodes of the caller's provider by name. */
async function named(
  tx: Transaction,
  scope: Scope,
  table: "agents" | "business_teams" | "salesmen",
  names: readonly (string | undefined)[],
): Promise<Map<string, string[]>> {
  const wanted = [...new Set(names.flatMap((name) => name ?? []))];
  const byName = new Map<string, string[]>();
  if (wanted.length === 0) return byName;
  const sight = table === "salesmen" ? inScope(scope, "n") : sql<boolean>`n.service_provider_id = ${scope.provider}`;
  const { rows } = await sql<{ id: string; name: string }>`
    select n.id, n.name from ${sql.table(table)} n where n.state = 'active' and n.name = any(${wanted}::text[]) and ${sight}`.execute(tx);
  for (const { id, name } of rows) byName.set(name, [...(byName.get(name) ?? []), id]);
  return byName;
}
