import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { FirstStep, TodoKind } from "../../todos/server/index.ts";
import { endsSoon } from "./providers/provider-columns.ts";

/** That no channel takes money for merchant `m`. */
const NO_CHANNEL = sql`m.state = 'active' and not exists (select from channel_settings c
  where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active')`;

/** What merchants lack, and contracts that end. */
export const organisationTodos: readonly TodoKind[] = [
  {
    key: "merchants-without-channel",
    urgency: 2,
    unit: "家",
    title: "商户没有可用的微信支付通道",
    act: "去开通",
    access: ["/merchants/v3Secret/set", "/applyment/form/edit"],
    to: "/merchants/merchants?channel=no&state=active",
    opens: (id) => `/merchants/merchants?channel=no&state=active&id=${id}`,
    waits: ({ scope }) =>
      scope.level === "SP"
        ? {
            from: sql`merchants m`,
            where: all([inScope(scope, "m"), NO_CHANNEL]),
            id: sql`m.id`,
            title: sql`m.short_name`,
            since: sql`m.opened_at`,
          }
        : undefined,
  },
  {
    key: "own-channel-missing",
    urgency: 1,
    unit: "项",
    title: "设置缺少：还没有开通支付通道",
    act: "去设置",
    access: "/merchants/v3Secret/set",
    to: "/merchants/v3Secret",
    waits: ({ scope }) =>
      scope.level === "MCH"
        ? {
            from: sql`merchants m`,
            where: all([
              inScope(scope, "m", "merchant"),
              NO_CHANNEL,
              sql`not exists (select from channel_accounts a where a.service_provider_id = m.service_provider_id and a.merchant_id = m.id and a.state = 'active')`,
            ]),
            id: sql`m.id`,
            title: sql`m.short_name`,
            since: sql`m.opened_at`,
          }
        : undefined,
  },
  {
    key: "channel-keys-refused",
    urgency: 1,
    unit: "个",
    title: "支付通道的密钥被拒绝",
    act: "去更换",
    access: "/merchants/v3Secret/set",
    to: (first) => `/merchants/v3Secret?merchantId=${first}`,
    opens: (id) => `/merchants/v3Secret?merchantId=${id}`,
    waits: ({ scope }) => ({
      from: sql`channel_settings c join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id`,
      where: all([inScope(scope, "c", "merchant"), sql`c.state = 'active' and c.verify_outcome = 'refused'`]),
      id: sql`c.merchant_id`,
      title: sql`m.short_name`,
      since: sql`c.verified_at`,
    }),
  },
  {
    key: "certificates-ending",
    urgency: 1,
    unit: "个",
    title: "支付宝证书 30 天内到期或已过期",
    act: "去更换",
    access: "/merchants/v3Secret/set",
    to: (first) => `/merchants/v3Secret?tab=alipay&merchantId=${first}`,
    opens: (id) => `/merchants/v3Secret?tab=alipay&merchantId=${id}`,
    waits: ({ scope, now }) => ({
      from: sql`channel_accounts a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id`,
      where: all([
        inScope(scope, "a", "merchant"),
        // A merchant that is closed takes no money with it.
        sql`a.state = 'active' and m.state = 'active' and a.certificates_until < ${now}::timestamptz + interval '30 days'`,
      ]),
      id: sql`a.merchant_id`,
      title: sql`m.short_name`,
      since: sql`a.certificates_until - interval '30 days'`,
    }),
  },
  {
    key: "provider-contracts-ending",
    urgency: 3,
    unit: "家",
    title: "服务商合同 30 天内到期",
    act: "去续约",
    access: "/admin/serviceProvider/contract",
    to: "/admin/serviceProvider?expiring=true",
    opens: (id) => `/admin/serviceProvider?expiring=true&id=${id}`,
    waits: ({ scope, now_ms }) =>
      scope.level === "ADMIN"
        ? {
            from: sql`service_providers p`,
            where: endsSoon(now_ms),
            id: sql`p.id`,
            title: sql`concat(p.short_name, ' ', p.contract_until)`,
            since: sql`p.contract_until`,
          }
        : undefined,
  },
  {
    key: "agent-contracts-to-review",
    urgency: 2,
    unit: "份",
    title: "代理商合同等待审核",
    act: "去审核",
    access: "/agent/agent/review",
    to: "/agent/agent?contract=1",
    opens: (id) => `/agent/agent?contract=1&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`agents a`,
      where: all([inScope(scope, "a"), sql`a.status = 1`]),
      id: sql`a.id`,
      title: sql`a.name`,
      since: sql`a.created_at`,
    }),
  },
  {
    key: "agent-contracts-ending",
    urgency: 3,
    unit: "家",
    title: "代理商合同 30 天内到期",
    act: "去续约",
    access: "/agent/agent/contract",
    to: (first) => `/agent/agent?contract=2&id=${first}`,
    opens: (id) => `/agent/agent?contract=2&id=${id}`,
    waits: ({ scope, now_ms }) => {
      const today = shanghaiDay(now_ms);
      return {
        from: sql`agents a`,
        where: all([inScope(scope, "a"), sql`a.status = 2 and a.contract_until between ${today}::date and ${addDays(today, 30)}::date`]),
        id: sql`a.id`,
        title: sql`concat(a.name, ' ', a.contract_until)`,
        since: sql`a.contract_until`,
      };
    },
  },
];

const OF_MERCHANTS = ["SP", "AG", "TM", "SM"] as const;
/** From the provider's account down to a merchant that can be paid. */
export const organisationSteps: readonly FirstStep[] = [
  {
    key: "provider",
    at: 10,
    title: "建第一家服务商",
    why: "商户、代理商和设备都归在服务商名下",
    levels: ["ADMIN"],
    access: "/admin/serviceProvider/add",
    to: "/admin/serviceProvider?panel=add",
    done: (scope) => sql<boolean>`exists (select from service_providers p where ${inScope(scope, "p")})`,
  },
  {
    key: "contract",
    at: 11,
    title: "签下服务商合同",
    why: "合同生效后，服务商的账号才能登录",
    levels: ["ADMIN"],
    access: "/admin/serviceProvider/contract",
    to: "/admin/serviceProvider",
    done: (scope) => sql<boolean>`exists (select from service_providers p where ${inScope(scope, "p")} and p.contract_state = 'signed')`,
  },
  {
    key: "salesman",
    at: 12,
    title: "添加业务员",
    why: "商户归到业务员名下，业绩和分润才算得清",
    levels: ["AG", "TM"],
    access: "/salesman/salesman/add",
    to: "/salesman/salesman?panel=add",
    done: (scope) => sql<boolean>`exists (select from salesmen w where ${inScope(scope, "w")})`,
  },
  {
    key: "team",
    at: 13,
    title: "建业务团队",
    why: "团队带商户和业务员，业绩按团队看",
    levels: ["GP"],
    access: "/businessGroup/businessTeam/add",
    to: "/businessGroup/businessTeam?panel=add",
    done: (scope) => sql<boolean>`exists (select from business_teams t where ${inScope(scope, "t")})`,
  },
  {
    key: "merchant",
    at: 15,
    title: "开第一家商户",
    why: "有了商户，才能配置通道、开门店",
    levels: OF_MERCHANTS,
    access: "/merchants/merchants/add",
    to: "/merchants/merchants?panel=add",
    done: (scope) => sql<boolean>`exists (select from merchants m where ${inScope(scope, "m")})`,
  },
  {
    key: "channel",
    at: 20,
    title: "开通支付通道",
    why: "填好商户号和密钥，钱直接到商户自己的账户",
    levels: ["SP", "MCH"],
    access: "/merchants/v3Secret/set",
    to: "/merchants/v3Secret",
    done: (scope) => sql<boolean>`(exists (select from channel_settings c where ${inScope(scope, "c", "merchant")} and c.state = 'active')
      or exists (select from channel_accounts a where ${inScope(scope, "a", "merchant")} and a.state = 'active'))`,
  },
  {
    key: "agent",
    at: 60,
    title: "发展代理商",
    why: "代理商带来的商户，分润自动结算；没有代理商可以不做",
    levels: ["SP"],
    access: "/agent/agent/add",
    to: "/agent/agent?panel=add",
    done: (scope) => sql<boolean>`exists (select from agents a where ${inScope(scope, "a")})`,
  },
];
