import type { Scope } from "@zhangfang/server/database/scope.ts";
import { accountLevel } from "../../contract/levels.ts";
import type { Holder, MenuItem } from "../../contract/menu.ts";

/** One rule and what it says. */
export interface Step {
  readonly title: string;
  readonly ok: boolean;
  readonly note: string;
}
/** Where a record stands: its owners, and whom it is attributed to. */
export interface Standing {
  readonly provider: string;
  readonly agent: string | null;
  readonly group: string | null;
  readonly team: string | null;
  readonly salesman: string | null;
  readonly merchant: string | null;
  readonly store: string | null;
  /** Attribution as it was then, of money facts; else as it is now. */
  readonly dated: boolean;
}

/** The rules by which an account holds an item, in the order in which they are asked; pure, the same as heldItems. */
export function itemSteps({ level, root, position, granted }: Holder, item: MenuItem): Step[] {
  const steps: Step[] = [
    {
      title: "级别",
      ok: item.levels.includes(level),
      note: item.levels.includes(level) ? `${accountLevel.label(level)}级别有此功能` : `${accountLevel.label(level)}级别没有此功能`,
    },
  ];
  if (item.rootOnly) steps.push({ title: "仅主账号", ok: root, note: root ? "是主账号" : "此功能只有主账号可用" });
  if (granted)
    steps.push({
      title: "功能范围",
      ok: granted.includes(item.path),
      note: granted.includes(item.path) ? "上级授予主账号的功能范围包含此项" : "上级没有把此项授予其主账号",
    });
  if (root) steps.push({ title: "主账号", ok: true, note: "主账号持有上述范围内的全部功能" });
  else if (position)
    steps.push({
      title: "岗位",
      ok: position.includes(item.path),
      note: position.includes(item.path) ? "岗位包含此项" : "岗位没有勾选此项",
    });
  else
    steps.push({
      title: "岗位",
      ok: level === "AE",
      note: level === "AE" ? "门店人员未设岗位时按默认功能使用" : "子账号没有岗位，不持有任何功能",
    });
  return steps;
}

/** The rules by which a scope sees a record, in the words of domain.md (Levels, roles, scope). */
export function recordSteps(scope: Scope, at: Standing): Step[] {
  if (scope.level === "ADMIN") return [{ title: "平台", ok: true, note: "平台可见全部" }];
  const when = at.dated ? "发生时" : "目前";
  const steps: Step[] = [
    {
      title: "服务商",
      ok: scope.provider === at.provider,
      note: scope.provider === at.provider ? "属于同一服务商" : "属于另一个服务商",
    },
  ];
  const attributed = (title: string, own: string | undefined, its: string | null): void =>
    void steps.push({
      title: `${title}归属`,
      ok: own === its,
      note: own === its ? `${when}归属该${title}` : its === null ? `${when}没有归属${title}` : `${when}归属其他${title}`,
    });
  if (scope.level === "AG") attributed("代理商", scope.agent, at.agent);
  if (scope.level === "GP") attributed("业务集团", scope.group, at.group);
  if (scope.level === "TM") attributed("业务团队", scope.team, at.team);
  if (scope.level === "SM") attributed("业务员", scope.salesman, at.salesman);
  if (scope.level === "MCH" || scope.level === "AE") {
    const own = scope.merchant === at.merchant;
    steps.push({ title: "商户", ok: own, note: own ? "属于该商户" : "属于另一个商户" });
    if (scope.stores && at.store !== null) {
      const seen = scope.stores.includes(at.store);
      steps.push({ title: "门店范围", ok: seen, note: seen ? "在可见的门店内" : `不在可见的 ${scope.stores.length} 家门店内` });
    }
  }
  return steps;
}
