import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** The levels of accounts; a salesman (SM) is ROLE_BusinessTeam narrowed to himself, an AE an area manager or employee. */
export const accountLevel = labelled({
  ADMIN: "平台",
  SP: "服务商",
  AG: "代理商",
  GP: "业务集团",
  TM: "业务团队",
  SM: "业务员",
  MCH: "商户",
  AE: "门店人员",
});
export type Level = CodeOf<typeof accountLevel>;

/** The roles as the wire spells them (spec.md section 6, ROLE_Employee from domain.md). */
export const role = labelled({
  ROLE_ADMIN: "平台",
  ROLE_ServiceProvider: "服务商",
  ROLE_Agent: "代理商",
  ROLE_BusinessGroup: "业务集团",
  ROLE_BusinessTeam: "业务团队",
  ROLE_Merchants: "商户",
  ROLE_Area: "区域经理",
  ROLE_Employee: "员工",
});
export type Role = CodeOf<typeof role>;

/** What the client calls a level: it knows no salesman. */
export type RoleLevel = Exclude<Level, "SM">;

/** Highest first (spec.md section 6, Level priority). */
const PRIORITY: readonly (readonly [Role, RoleLevel])[] = [
  ["ROLE_ADMIN", "ADMIN"],
  ["ROLE_ServiceProvider", "SP"],
  ["ROLE_Agent", "AG"],
  ["ROLE_BusinessGroup", "GP"],
  ["ROLE_BusinessTeam", "TM"],
  ["ROLE_Merchants", "MCH"],
  ["ROLE_Area", "AE"],
  ["ROLE_Employee", "AE"],
];
/** The level that a list of authorities gives: the highest of them. */
export const levelOfAuthorities = (authorities: readonly string[]): RoleLevel | undefined =>
  PRIORITY.find(([name]) => authorities.includes(name))?.[1];

/** Level to parents, nearest first (domain.md, Levels). */
export const levelParents: Readonly<Record<Level, readonly Level[]>> = {
  ADMIN: [],
  SP: ["ADMIN"],
  AG: ["SP"],
  GP: ["SP"],
  TM: ["GP", "SP"],
  SM: ["TM", "AG", "GP", "SP"],
  MCH: ["TM", "AG", "GP", "SP"],
  AE: ["MCH"],
};

/** Whose accounts a level creates besides sub-accounts of its own (domain.md, column "creates"). */
export const levelCreates: Readonly<Record<Level, readonly Level[]>> = {
  ADMIN: ["SP"],
  SP: ["AG", "GP", "TM", "SM", "MCH"],
  AG: ["MCH", "SM"],
  GP: ["TM", "SM"],
  TM: ["SM", "MCH"],
  SM: [],
  MCH: ["AE"],
  AE: [],
};
/** Levels whose root accounts have sub-accounts and positions. */
export const levelsWithStaff: readonly Level[] = ["ADMIN", "SP", "MCH"];
