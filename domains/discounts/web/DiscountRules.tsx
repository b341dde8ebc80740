import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { addDiscountRule, discountKind, getDiscountRules, ruleState, setDiscountRuleState, sortDiscountRules } from "../contract/index.ts";
import { AddRule, EditRule } from "./RuleForms.tsx";
import "./discounts.css";

type Rule = OutputOf<typeof getDiscountRules>["items"][number];
const READS = [getDiscountRules];

/** 优惠规则: what comes off by itself, in the order in which it is asked; the first is the most urgent. */
export function DiscountRules(): ReactNode {
  const rules = useDetail(getDiscountRules, {});
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const adding = (
    <Act of={addDiscountRule}>
      <Button tone="primary" onClick={() => add.open()}>
        新建优惠规则
      </Button>
    </Act>
  );
  return (
    <DetailScreen title="优惠规则" of={rules} actions={adding}>
      {({ items }) => {
        const edited = items.find(({ id }) => id === edit.id);
        return (
          <>
            <p className="note">收银时按顺序自动减，同组只用最靠前的一条；门槛按会员价算完之后还剩的钱算，优惠券和积分在它后面算。</p>
            {items.length === 0 && <Empty text="还没有规则，顾客付会员价" action={adding} />}
            <ol className="discount-rules">
              {items.map((rule, at) => (
                <RuleItem key={rule.id} rule={rule} at={at} all={items} onEdit={() => edit.open(rule.id)} />
              ))}
            </ol>
            {add.id && <AddRule onClose={add.close} />}
            {edited && <EditRule key={edited.revision} rule={edited} onClose={edit.close} />}
          </>
        );
      }}
    </DetailScreen>
  );
}

function RuleItem({ rule, at, all, onEdit }: { rule: Rule; at: number; all: readonly Rule[]; onEdit: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const mayEdit = useAct(setDiscountRuleState);
  const navigate = useNavigate();
  const on = rule.state === "active";
  const flip = async (): Promise<void> => {
    const text = on ? `停用「${rule.name}」？已下单的照旧，新的订单不再减。` : `启用「${rule.name}」？${rule.said}`;
    if (!(await confirm(text, { ok: on ? "停用" : "启用" }))) return;
    const turn = (active: boolean): Promise<unknown> => call(setDiscountRuleState, { id: rule.id, state: active ? "active" : "paused" });
    await run(async () => {
      await turn(!on);
      undoable(`「${rule.name}」${on ? "已停用" : "已启用"}`, () => void run(() => turn(on)));
    });
  };
  const moveTo = (to: number): Promise<unknown> =>
    run(async () => {
      const ids = all.map(({ id }) => id).filter((id) => id !== rule.id);
      ids.splice(to, 0, rule.id);
      await call(sortDiscountRules, { ids });
      success(`「${rule.name}」排到第 ${to + 1} 位`);
    });
  return (
    <li className="discount-rule">
      <div className="discount-head">
        <h2>
          {rule.name} <StatusTag of={ruleState} code={rule.state} />
        </h2>
        <span className="note">
          {discountKind.label(rule.kind)}
          {rule.group !== "" && ` · 组 ${rule.group}`}
        </span>
      </div>
      <p>{rule.said}</p>
      <p className="note num">
        已优惠 {rule.uses.toLocaleString("en-US")} 笔，共 {yuan(rule.offCents)} 元
        {rule.budgetCents !== null && ` · 预算 ${yuan(rule.budgetCents)} 元，已占用 ${yuan(rule.spentCents)} 元`}
      </p>
      {rule.budgetCents !== null && (
        <progress className="discount-budget" max={rule.budgetCents} value={rule.spentCents} aria-label={`${rule.name} 的预算已占用`} />
      )}
      <div className="discount-acts">
        <Button tone="link" onClick={() => void navigate(`/ticket/discountRecord?ruleId=${rule.id}`)}>
          看记录
        </Button>
        {mayEdit && (
          <>
            <Button tone="link" onClick={onEdit}>
              修改
            </Button>
            <Button tone="link" busy={busy} onClick={() => void flip()}>
              {on ? "停用" : "启用"}
            </Button>
            <Button tone="link" disabled={at === 0 || busy} onClick={() => void moveTo(at - 1)} aria-label={`${rule.name} 上移`}>
              上移
            </Button>
            <Button
              tone="link"
              disabled={at === all.length - 1 || busy}
              onClick={() => void moveTo(at + 1)}
              aria-label={`${rule.name} 下移`}
            >
              下移
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
