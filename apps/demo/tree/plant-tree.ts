import { addPosition, addUser } from "@zhangfang/domains/accounts/server/index.ts";
import { registerDevice } from "@zhangfang/domains/devices/server/index.ts";
import {
  addAgent,
  addArea,
  addBusinessGroup,
  addBusinessTeam,
  addMerchant,
  addSalesman,
  addServiceProvider,
} from "@zhangfang/domains/organisation/server/index.ts";
import { everyDay } from "@zhangfang/domains/stores/contract/index.ts";
import { addCashier } from "@zhangfang/domains/cashiers/server/index.ts";
import { addGroup, addStore } from "@zhangfang/domains/stores/server/index.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CASHIER_NAMES, SP01_MERCHANTS, SP02_MERCHANTS, STORE_DEVICES, type MerchantLogin, type MerchantPlan } from "./tree-plan.ts";
import type { DemoDevice, DemoLogin, DemoMerchant, DemoStore, DemoTree } from "./demo-tree.ts";

interface Planting {
  readonly tx: Transaction;
  readonly services: Services;
  /** Of the password that all of them have. */
  readonly hash: string;
}
type AddUser = (login: DemoLogin, firstName: string, more: Omit<Parameters<typeof addUser>[2], "login" | "firstName">) => Promise<void>;
type Nodes = Pick<DemoTree, "providers" | "agents" | "groups" | "teams" | "salesmen">;

/** Plants providers, the nodes between, merchants with stores, cashiers and devices, and an account for each node. */
export async function plantTree(planting: Planting): Promise<DemoTree> {
  const { tx, services, hash } = planting;
  const users = {} as Record<DemoLogin, string>;
  const user: AddUser = async (login, firstName, more) =>
    void (users[login] = await addUser(tx, services, { login, firstName, ...more }, hash));
  const nodes = await plantNodes(planting);
  await plantNodeUsers(nodes, user);
  const { merchants, stores } = await plantMerchants(planting, nodes, user);

  const { id: merchantId, stores: own } = merchants.mch01;
  const serviceProviderId = nodes.providers.sp01;
  const firstTwo = own.slice(0, 2).map((store) => store.id);
  const area = await addArea(tx, services, { serviceProviderId, merchantId, name: "城东区", storeIds: firstTwo });
  const ends = [own[0]!.id, own.at(-1)!.id];
  const storeGroup = await addGroup(tx, services, { serviceProviderId, merchantId, name: "核心商圈", storeIds: ends });
  const items = [
    "/",
    "/dataCentre/payOrder",
    "/dataCentre/payOrder/export",
    "/dataCentre/payRefund",
    "/dataCentre/payRefund/export",
    "/dataCentre/exports",
  ];
  const position = await addPosition(tx, services, users.mch01, { name: "财务", items });
  const under = { serviceProviderId, nodeId: merchantId, rootLogin: "mch01" };
  await user("area01", "区域经理郑东", { ...under, level: "AE", areaIds: [area] });
  await user("emp01", "店员李秀英", { ...under, level: "AE", storeIds: firstTwo.slice(0, 1) });
  await user("fin01", "财务苏算", { ...under, level: "MCH", positionId: position, storeIds: firstTwo });
  return { ...nodes, merchants, stores, area, storeGroup, position, users };
}

async function plantNodes({ tx, services }: Planting): Promise<Nodes> {
  const sp01 = await addServiceProvider(tx, services, {
    name: "禾木智慧商业有限公司",
    shortName: "禾木智慧商业",
    brandTitle: "禾木智慧商业",
    contactName: "林禾",
    contactPhone: "13800138001",
    feeRate: 210,
    hosts: ["hemu.example.com"],
  });
  const sp02 = await addServiceProvider(tx, services, {
    name: "云岸数字科技有限公司",
    shortName: "云岸数字",
    brandTitle: "云岸商户中心",
    contactName: "沈岸",
    contactPhone: "13800138002",
    feeRate: 220,
    hosts: ["yunan.example.com"],
  });
  const first = { serviceProviderId: sp01 };
  const second = { serviceProviderId: sp02 };
  const agents = {
    agent01: await addAgent(tx, services, { ...first, name: "锦城商务代理", contactName: "周锦", region: "成都", profitRatio: 40_000 }),
    agent02: await addAgent(tx, services, { ...first, name: "蓉东渠道", contactName: "唐蓉", region: "成都", profitRatio: 35_000 }),
  };
  const groups = {
    group01: await addBusinessGroup(tx, services, { ...first, name: "西南业务集团", leader: "何川" }),
    group02: await addBusinessGroup(tx, services, { ...first, name: "川北业务集团", leader: "罗北" }),
  };
  const teams = {
    team01: await addBusinessTeam(tx, services, { ...first, name: "成渝直营团队", businessGroupId: groups.group01, leader: "冯渝" }),
    team02: await addBusinessTeam(tx, services, { ...first, name: "绵阳团队", businessGroupId: groups.group02, leader: "谢绵" }),
    team03: await addBusinessTeam(tx, services, { ...second, name: "杭州团队", leader: "俞杭" }),
  };
  const salesmen = {
    sale01: await addSalesman(tx, services, { ...first, name: "邓安", phone: "13900139001", businessTeamId: teams.team01 }),
    sale02: await addSalesman(tx, services, { ...first, name: "曾绵竹", phone: "13900139002", businessTeamId: teams.team02 }),
    sale03: await addSalesman(tx, services, { ...second, name: "钱塘", phone: "13900139003", businessTeamId: teams.team03 }),
  };
  return { providers: { sp01, sp02 }, agents, groups, teams, salesmen };
}

async function plantNodeUsers({ providers, agents, groups, teams, salesmen }: Nodes, user: AddUser): Promise<void> {
  const first = { serviceProviderId: providers.sp01 };
  const second = { serviceProviderId: providers.sp02 };
  await user("admin", "平台管理员", { level: "ADMIN" });
  await user("sp01", "林禾", { level: "SP", ...first });
  await user("sp02", "沈岸", { level: "SP", ...second });
  await user("agent01", "周锦", { level: "AG", ...first, nodeId: agents.agent01 });
  await user("agent02", "唐蓉", { level: "AG", ...first, nodeId: agents.agent02 });
  await user("group01", "何川", { level: "GP", ...first, nodeId: groups.group01 });
  await user("group02", "罗北", { level: "GP", ...first, nodeId: groups.group02 });
  await user("team01", "冯渝", { level: "TM", ...first, nodeId: teams.team01 });
  await user("team02", "谢绵", { level: "TM", ...first, nodeId: teams.team02 });
  await user("team03", "俞杭", { level: "TM", ...second, nodeId: teams.team03 });
  await user("sale01", "邓安", { level: "SM", ...first, nodeId: salesmen.sale01 });
  await user("sale02", "曾绵竹", { level: "SM", ...first, nodeId: salesmen.sale02 });
  await user("sale03", "钱塘", { level: "SM", ...second, nodeId: salesmen.sale03 });
}

async function plantMerchants(planting: Planting, nodes: Nodes, user: AddUser): Promise<Pick<DemoTree, "merchants" | "stores">> {
  const merchants = {} as Record<MerchantLogin, DemoMerchant>;
  const stores: DemoStore[] = [];
  const plans = [
    ...Object.entries(SP01_MERCHANTS).map(([login, plan]) => [nodes.providers.sp01, login, plan] as const),
    ...Object.entries(SP02_MERCHANTS).map(([login, plan]) => [nodes.providers.sp02, login, plan] as const),
  ];
  for (const [serviceProviderId, login, plan] of plans as readonly (readonly [string, MerchantLogin, MerchantPlan])[]) {
    const [province, city] = plan.city;
    const id = await addMerchant(planting.tx, planting.services, {
      serviceProviderId,
      name: plan.name,
      shortName: plan.shortName,
      trade: plan.trade,
      province,
      city,
      feeRate: plan.feeRate,
      refundApprovalAbove: plan.refundApprovalAbove,
      ...(plan.contact && { contactName: plan.contact[0], contactPhone: plan.contact[1] }),
      ...(plan.licenceNo && { licenceNo: plan.licenceNo, servicePhone: "028-86660001", address: plan.stores[0]?.[1] }),
      ...(plan.agent && { agentId: nodes.agents[plan.agent] }),
      ...(plan.salesman && { salesmanId: nodes.salesmen[plan.salesman] }),
    });
    const own: DemoStore[] = [];
    for (const [name, address] of plan.stores) {
      const store = { serviceProviderId, merchantId: id, name: `${plan.shortName}${name}`, shortName: name, province, city, address };
      own.push(await plantStore(planting, store, stores.length + own.length + 1));
    }
    stores.push(...own);
    merchants[login] = { id, serviceProviderId, name: plan.shortName, stores: own };
    await user(login, `${plan.shortName}老板`, { level: "MCH", serviceProviderId, nodeId: id });
  }
  return { merchants, stores };
}

async function plantStore({ tx, services }: Planting, store: Parameters<typeof addStore>[2], number: number): Promise<DemoStore> {
  const id = await addStore(tx, services, { ...store, opening: everyDay("09:00", "22:00") });
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
    const at = cashierMode === 2 ? { cashierId: cashiers[0]!.id } : {};
    devices.push({ sn, ...(await registerDevice(tx, services, { ...owner, ...at, sn, model, name, cashierMode })) });
  }
  return { id, serviceProviderId: store.serviceProviderId, merchantId: store.merchantId, name: store.name, devices, cashiers };
}
