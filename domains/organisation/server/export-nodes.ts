import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { exportColumn, type ExportRow, type ExportSource, fileOf, snapshotMoment } from "@zhangfang/server/lists/export-source.ts";
import {
  agentFilter,
  contractState,
  contractStatus,
  fullInFilter,
  groupFilter,
  type listAgents,
  type listGroups,
  type listIncompleteMerchants,
  type listProviders,
  type listSalesmen,
  type listTeams,
  missingFact,
  nodeState,
  providerFilter,
  salesmanFilter,
  teamFilter,
} from "../contract/index.ts";
import { agentsListed } from "./agents/list-agents.ts";
import { groupsListed } from "./groups/list-groups.ts";
import { withLeaderMasked } from "./mask-leader.ts";
import { withMasks } from "./merchants/list/merchant-columns.ts";
import { incompleteListed } from "./merchants/profile/full-in.ts";
import { providersListed } from "./providers/list-providers.ts";
import { salesmenListed } from "./salesmen/list-salesmen.ts";
import { withPhoneMasked } from "./salesmen/salesman-columns.ts";
import { teamsListed } from "./teams/list-teams.ts";

const STATE = exportColumn("state", "状态", 8, "code");
const PROVIDER = exportColumn("serviceProviderName", "服务商", 18);
const PAID = exportColumn("monthPaidCents", "本月交易（元）", 16, "money");

const agents = z.object(agentFilter);
/** The lists of the tree as files, masked like the lists, this month's figures as they are at the moment of the file. */
const agentExport: ExportSource<typeof agents> = {
  name: "agents",
  title: "代理商",
  access: "/agent/agent/export",
  input: agents,
  columns: [
    exportColumn("name", "代理商", 24),
    STATE,
    exportColumn("contractStatus", "合同", 10, "code"),
    exportColumn("contractUntil", "合同到期", 12),
    exportColumn("region", "区域", 14),
    exportColumn("contactName", "联系人", 12),
    exportColumn("contactPhone", "联系电话", 16),
    PROVIDER,
    exportColumn("profitRatio", "分润比例", 10),
    exportColumn("merchantCount", "商户", 8, "count"),
    exportColumn("salesmanCount", "业务员", 8, "count"),
    PAID,
    exportColumn("monthCommissionCents", "本月佣金（元）", 16, "money"),
    exportColumn("createdAt", "加入时间", 20, "time"),
  ],
  ...fileOf(
    async (scope, filter: z.output<typeof agents>, tx) => agentsListed(scope, filter, await snapshotMoment(tx)),
    (found: RowOf<typeof listAgents>): ExportRow => {
      const { loginUserId: _login, ...row } = withMasks(found);
      return {
        ...row,
        profitRatio: percent(row.profitRatio),
        state: nodeState.label(row.state),
        contractStatus: contractStatus.label(row.contractStatus),
      };
    },
    "-createdAt",
  ),
};

const groups = z.object(groupFilter);
const groupExport: ExportSource<typeof groups> = {
  name: "business-groups",
  title: "业务集团",
  access: "/businessGroup/businessGroup/export",
  input: groups,
  columns: [
    exportColumn("name", "业务集团", 24),
    STATE,
    exportColumn("leader", "负责人", 12),
    PROVIDER,
    exportColumn("teamCount", "团队", 8, "count"),
    exportColumn("merchantCount", "商户", 8, "count"),
    PAID,
    exportColumn("createdAt", "建立时间", 20, "time"),
  ],
  ...fileOf(
    async (scope, filter: z.output<typeof groups>, tx) => groupsListed(scope, filter, await snapshotMoment(tx)),
    (found: RowOf<typeof listGroups>): ExportRow => {
      const { loginUserId: _login, ...row } = withLeaderMasked(found);
      return { ...row, state: nodeState.label(row.state) };
    },
    "-createdAt",
  ),
};

const teams = z.object(teamFilter);
const teamExport: ExportSource<typeof teams> = {
  name: "business-teams",
  title: "业务团队",
  access: "/businessGroup/businessTeam/export",
  input: teams,
  columns: [
    exportColumn("name", "业务团队", 24),
    STATE,
    exportColumn("leader", "负责人", 12),
    PROVIDER,
    exportColumn("groupName", "业务集团", 18),
    exportColumn("salesmanCount", "业务员", 8, "count"),
    exportColumn("merchantCount", "商户", 8, "count"),
    PAID,
    exportColumn("createdAt", "建立时间", 20, "time"),
  ],
  ...fileOf(
    async (scope, filter: z.output<typeof teams>, tx) => teamsListed(scope, filter, await snapshotMoment(tx)),
    (found: RowOf<typeof listTeams>): ExportRow => {
      const { loginUserId: _login, ...row } = withLeaderMasked(found);
      return { ...row, groupName: row.groupName ?? "服务商直属", state: nodeState.label(row.state) };
    },
    "-createdAt",
  ),
};

const salesmen = z.object(salesmanFilter);
const salesmanExport: ExportSource<typeof salesmen> = {
  name: "salesmen",
  title: "业务员",
  access: "/salesman/salesman/export",
  input: salesmen,
  columns: [
    exportColumn("name", "业务员", 14),
    STATE,
    exportColumn("phone", "手机号", 16),
    exportColumn("teamName", "所属", 18),
    PROVIDER,
    exportColumn("merchantCount", "商户", 8, "count"),
    PAID,
    exportColumn("createdAt", "加入时间", 20, "time"),
  ],
  ...fileOf(
    async (scope, filter: z.output<typeof salesmen>, tx) => salesmenListed(scope, filter, await snapshotMoment(tx)),
    (found: RowOf<typeof listSalesmen>): ExportRow => {
      const { loginUserId: _login, ...row } = withPhoneMasked(found);
      return { ...row, teamName: row.teamName ?? row.agentName ?? "服务商直属", state: nodeState.label(row.state) };
    },
    "-createdAt",
  ),
};

const providers = z.object(providerFilter);
const providerExport: ExportSource<typeof providers> = {
  name: "providers",
  title: "服务商",
  access: "/admin/serviceProvider/export",
  input: providers,
  columns: [
    exportColumn("number", "服务商编号", 14),
    exportColumn("shortName", "服务商", 18),
    exportColumn("name", "全称", 30),
    STATE,
    exportColumn("contractState", "合同", 10, "code"),
    exportColumn("contractUntil", "到期日", 12),
    exportColumn("contactName", "联系人", 12),
    exportColumn("contactPhone", "联系电话", 16),
    exportColumn("feeRate", "费率", 8),
    exportColumn("merchantCount", "商户", 8, "count"),
    exportColumn("storeCount", "门店", 8, "count"),
    exportColumn("deviceCount", "设备", 8, "count"),
    exportColumn("accountCount", "账号", 8, "count"),
    exportColumn("createdAt", "开通时间", 20, "time"),
  ],
  // In the list it stands under the name.
  always: ["number"],
  ...fileOf(
    async (scope, filter: z.output<typeof providers>, tx) => providersListed(scope, filter, await snapshotMoment(tx)),
    (found: RowOf<typeof listProviders>): ExportRow => {
      const { loginUserId: _login, quotas: _quotas, ...row } = withMasks(found);
      return {
        ...row,
        contractUntil: row.contractUntil ?? "长期",
        feeRate: percent(row.feeRate),
        state: nodeState.label(row.state),
        contractState: contractState.label(row.contractState),
      };
    },
    "-createdAt",
  ),
};

const fullIn = z.object(fullInFilter);
const fullInExport: ExportSource<typeof fullIn> = {
  name: "full-in",
  title: "资料补全",
  access: "/admin/fullInInfo/export",
  input: fullIn,
  columns: [
    exportColumn("number", "商户编号", 14),
    exportColumn("shortName", "商户", 18),
    PROVIDER,
    exportColumn("missing", "还缺", 40),
    exportColumn("remindedAt", "上次提醒", 20, "time"),
    exportColumn("openedAt", "开通时间", 20, "time"),
  ],
  ...fileOf(incompleteListed, (row: RowOf<typeof listIncompleteMerchants>): ExportRow => ({
    ...row,
    missing: row.missing.map((code) => missingFact.label(code)).join("、"),
  })),
};

export const nodeExports = [agentExport, groupExport, teamExport, salesmanExport, providerExport, fullInExport] as const;
