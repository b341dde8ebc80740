import { sql } from "kysely";
import { addPosition, addUser, hashPassword, startSession } from "@zhangfang/domains/accounts/server/index.ts";
import { addAgent, addArea, addBusinessGroup, addBusinessTeam, addMerchant, addSalesman, addServiceProvider } from "@zhangfang/domains/organisation/server/index.ts";
import { addCashier, addStore } from "@zhangfang/domains/stores/server/index.ts";
import { registerDevice } from "@zhangfang/domains/devices/server/index.ts";
import { withScope, type Transaction } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CASHIER_NAMES, DEMO_PASSWORD, SP01_MERCHANTS, SP02_MERCHANTS, STORE_DEVICES, type MerchantLogin, type MerchantPlan } from "./tree-plan.ts";

export interface DemoDevice {
  readonly id: string;
  readonly sn: string;
  /** What it signs with. */
  readonly key: string;
}
export interface DemoStore {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly devices: readonly DemoDevice[];
  readonly cashiers: readonly { readonly id: string; readonly code: string; readonly name: string }[];
}
export interface DemoMerchant {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly name: string;
  readonly stores: readonly DemoStore[];
}
/** Logins of the demo world. All but area01, emp01 and fin01 are root accounts; the password is DEMO_PASSWORD. */
export type DemoLogin = "admin" | "sp01" | "sp02" | "agent01" | "agent02" | "group01" | "group02" | "team01" | "team02" | "team03" | "sale01" | "sale02" | "sale03" | MerchantLogin | "area01" | "emp01" | "fin01";
export interface DemoTree {
  /** sp01 is 禾木智慧商业, sp02 云岸数字科技. */
  readonly providers: Readonly<Record<"sp01" | "sp02", string>>;
  readonly agents: Readonly<Record<"agent01" | "agent02", string>>;
  readonly groups: Readonly<Record<"group01" | "group02", string>>;
  readonly teams: Readonly<Record<"team01" | "team02" | "team03", string>>;
  readonly salesmen: Readonly<Record<"sale01" | "sale02" | "sale03", string>>;
  /** mch01 belongs to agent01, sale01 (team01, group01); mch02 and mch08 are of sp02. */
  readonly merchants: Readonly<Record<MerchantLogin, DemoMerchant>>;
  /** Every store, in the order of the merchants. */
  readonly stores: readonly DemoStore[];
  /** 城东区 of mch01: its first two stores; its manager is area01. emp01 works in the first store. */
  readonly area: string;
  /** 财务 of mch01, held by fin01, who sees the first two stores. */
  readonly position: string;
  readonly users: Readonly<Record<DemoLogin, string>>;
}

/**
 * Makes the demo world's tree through the domains' own doors, in one platform transaction. What it makes follows from the
 * clock and the ids that it is given; the devices' keys alone are random.
 */
export async function buildTree(services: Services): Promise<DemoTree> {
  // One hash for all: nineteen of their own would take a second of every test.
  const hash = await hashPassword(DEMO_PASSWORD);
  return withScope(services.pool, platformScope("demo tree"), (tx) => plant(tx, services, hash), { deadline_ms: 60_000 });
}

/** Signs a demo account in without its password. @returns the token */
export async function signIn(services: Services, login: DemoLogin | (string & {})): Promise<string> {
  return withScope(services.pool, platformScope("test sign-in"), async (tx) => {
    const user = await tx.selectFrom("users").select("id").where(sql`lower(login)`, "=", login.toLowerCase()).executeTakeFirstOrThrow();
    return startSession(tx, services, { userId: user.id, limits: "normal", ip: "127.0.0.1", device: "test" });
  });
}

async function plant(tx: Transaction, services: Services, hash: string): Promise<DemoTree> {
  const users = {} as Record<DemoLogin, string>;
  const user = async (login: DemoLogin, firstName: string, more: Omit<Parameters<typeof addUser>[2], "login" | "firstName">) => void (users[login] = await addUser(tx, services, { login, firstName, ...more }, hash));
  await user("admin", "平台管理员", { level: "ADMIN" });

  const sp01 = await addServiceProvider(tx, services, { name: "禾木智慧商业有限公司", shortName: "禾木智慧商业", brandTitle: "禾木智慧商业", contactName: "林禾", contactPhone: "13800138001", feeRate: 210, hosts: ["hemu.example.com"] });
  const sp02 = await addServiceProvider(tx, services, { name: "云岸数字科技有限公司", shortName: "云岸数字", brandTitle: "云岸商户中心", contactName: "沈岸", contactPhone: "13800138002", feeRate: 220, hosts: ["yunan.example.com"] });
  await user("sp01", "林禾", { level: "SP", serviceProviderId: sp01 });
  await user("sp02", "沈岸", { level: "SP", serviceProviderId: sp02 });

  const first = { serviceProviderId: sp01 };
  const agents = {
    agent01: await addAgent(tx, services, { ...first, name: "锦城商务代理", contactName: "周锦", region: "成都", profitRatio: 40_000 }),
    agent02: await addAgent(tx, services, { ...first, name: "蓉东渠道", contactName: "唐蓉", region: "成都", profitRatio: 35_000 }),
  };
  const groups = { group01: await addBusinessGroup(tx, services, { ...first, name: "西南业务集团", leader: "何川" }), group02: await addBusinessGroup(tx, services, { ...first, name: "川北业务集团", leader: "罗北" }) };
  const teams = {
    team01: await addBusinessTeam(tx, services, { ...first, name: "成渝直营团队", businessGroupId: groups.group01, leader: "冯渝" }),
    team02: await addBusinessTeam(tx, services, { ...first, name: "绵阳团队", businessGroupId: groups.group02, leader: "谢绵" }),
    team03: await addBusinessTeam(tx, services, { serviceProviderId: sp02, name: "杭州团队", leader: "俞杭" }),
  };
  const salesmen = {
    sale01: await addSalesman(tx, services, { ...first, name: "邓安", phone: "13900139001", businessTeamId: teams.team01 }),
    sale02: await addSalesman(tx, services, { ...first, name: "曾绵竹", phone: "13900139002", businessTeamId: teams.team02 }),
    sale03: await addSalesman(tx, services, { serviceProviderId: sp02, name: "钱塘", phone: "13900139003", businessTeamId: teams.team03 }),
  };
  for (const login of ["agent01", "agent02"] as const) await user(login, login === "agent01" ? "周锦" : "唐蓉", { level: "AG", ...first, nodeId: agents[login] });
  for (const login of ["group01", "group02"] as const) await user(login, login === "group01" ? "何川" : "罗北", { level: "GP", ...first, nodeId: groups[login] });
  for (const [login, name, serviceProviderId] of [["team01", "冯渝", sp01], ["team02", "谢绵", sp01], ["team03", "俞杭", sp02]] as const) await user(login, name, { level: "TM", serviceProviderId, nodeId: teams[login] });
  for (const [login, name, serviceProviderId] of [["sale01", "邓安", sp01], ["sale02", "曾绵竹", sp01], ["sale03", "钱塘", sp02]] as const) await user(login, name, { level: "SM", serviceProviderId, nodeId: salesmen[login] });

  const merchants = {} as Record<MerchantLogin, DemoMerchant>;
  const stores: DemoStore[] = [];
  for (const [serviceProviderId, plans] of [[sp01, SP01_MERCHANTS], [sp02, SP02_MERCHANTS]] as const) {
    for (const [login, plan] of Object.entries(plans) as [MerchantLogin, MerchantPlan][]) {
      const id = await addMerchant(tx, services, {
        serviceProviderId, name: plan.name, shortName: plan.shortName, trade: plan.trade, province: plan.city[0], city: plan.city[1], feeRate: plan.feeRate,
        refundApprovalAbove: plan.refundApprovalAbove, ...(plan.agent && { agentId: agents[plan.agent] }), ...(plan.salesman && { salesmanId: salesmen[plan.salesman] }),
      });
      const own: DemoStore[] = [];
      for (const [name, address] of plan.stores) own.push(await plantStore(tx, services, { serviceProviderId, merchantId: id, name: `${plan.shortName}${name}`, shortName: name, province: plan.city[0], city: plan.city[1], address }, stores.length + own.length + 1));
      stores.push(...own);
      merchants[login] = { id, serviceProviderId, name: plan.shortName, stores: own };
      await user(login, `${plan.shortName}老板`, { level: "MCH", serviceProviderId, nodeId: id });
    }
  }

  const owner = { serviceProviderId: sp01, merchantId: merchants.mch01.id };
  const firstTwo = merchants.mch01.stores.slice(0, 2).map((store) => store.id);
  const area = await addArea(tx, services, { ...owner, name: "城东区", storeIds: firstTwo });
  const position = await addPosition(tx, services, users.mch01, { name: "财务", items: ["/", "/dataCentre/payOrder", "/dataCentre/payOrder/export", "/dataCentre/payRefund", "/dataCentre/payRefund/export", "/dataCentre/exports"] });
  const under = { serviceProviderId: sp01, nodeId: merchants.mch01.id, rootLogin: "mch01" };
  await user("area01", "区域经理郑东", { ...under, level: "AE", areaIds: [area] });
  await user("emp01", "店员李秀英", { ...under, level: "AE", storeIds: firstTwo.slice(0, 1) });
  await user("fin01", "财务苏算", { ...under, level: "MCH", positionId: position, storeIds: firstTwo });
  return { providers: { sp01, sp02 }, agents, groups, teams, salesmen, merchants, stores, area, position, users };
}

async function plantStore(tx: Transaction, services: Services, store: Parameters<typeof addStore>[2], number: number): Promise<DemoStore> {
  const id = await addStore(tx, services, { ...store, hours: "09:00-22:00" });
  const owner = { serviceProviderId: store.serviceProviderId, merchantId: store.merchantId, storeId: id };
  const tag = String(number).padStart(2, "0");
  const cashiers = [];
  for (const n of [0, 1]) {
    const cashier = { code: `C${tag}${n + 1}`, name: CASHIER_NAMES[(number * 2 + n) % CASHIER_NAMES.length]! };
    cashiers.push({ id: await addCashier(tx, services, { ...owner, ...cashier }), ...cashier });
  }
  const devices: DemoDevice[] = [];
  for (const [n, [model, name, cashierMode]] of STORE_DEVICES.entries()) {
    const sn = `ZF-${tag}-${n + 1}`;
    devices.push({ sn, ...(await registerDevice(tx, services, { ...owner, sn, model, name, cashierMode, ...(cashierMode === 2 && { cashierId: cashiers[0]!.id }) })) });
  }
  return { id, serviceProviderId: store.serviceProviderId, merchantId: store.merchantId, name: store.name, devices, cashiers };
}
