import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatusTag, Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { couponKind, couponState, type lookAtCoupon } from "../../../coupons/contract/index.ts";
import type { lookAtTimesCards } from "../../../vip/contract/index.ts";
import type { useScan } from "./use-scan.ts";

/** One line of what was found. */
export function Fact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
/** An own coupon: what it is worth, and whether it is used up here or taken off a bill at the till. */
export function FoundCoupon({ of }: { of: OutputOf<typeof lookAtCoupon> }): ReactNode {
  const usable = of.why === "" && of.alone;
  return (
    <section className="desk-card" aria-label="这张券">
      <p className="desk-tags">
        <Tag>商家券</Tag>
        {of.why === "" ? (
          <Tag tone={usable ? "good" : "warn"}>{usable ? "可核销" : "在收银机用"}</Tag>
        ) : (
          <StatusTag of={couponState} code={of.state} />
        )}
      </p>
      <h2 className="desk-title">{of.name}</h2>
      <dl className="desk-facts">
        <Fact name="优惠" value={of.worth} />
        <Fact name="类型" value={couponKind.label(of.kind)} />
        <Fact name="到期" value={shanghaiTime(of.validTo).slice(0, 16)} />
        <Fact name="尾号" value={of.tail} />
        <Fact name="使用条件" value={of.said} />
      </dl>
      {of.why !== "" && <p className="notice notice-bad">{of.why}</p>}
      {of.why === "" && !of.alone && (
        <p className="notice notice-warn">这张券要跟一笔订单一起用：请到收银机结账，10 分钟内在收银机扫同一个券码，就从应收里减掉。</p>
      )}
    </section>
  );
}

/** A member's times cards: one is chosen, so many times of it are used. Who showed no code types the PIN. */
export function FoundTimes({ of, scan }: { of: OutputOf<typeof lookAtTimesCards>; scan: ReturnType<typeof useScan> }): ReactNode {
  const usable = of.cards.filter(({ why }) => why === "");
  const barred = of.cards.filter(({ why }) => why !== "");
  const card = usable.find(({ cardNo }) => cardNo === scan.cardNo);
  const choose = (cardNo: string | undefined): void => {
    scan.setCardNo(cardNo);
    scan.setCount(1);
  };
  return (
    <section className="desk-card" aria-label="这张券">
      <p className="desk-tags">
        <Tag>次卡</Tag>
        <Tag tone={card ? "good" : "warn"}>{card ? "可核销" : "没有可用的"}</Tag>
      </p>
      <h2 className="desk-title">{card?.name ?? (barred[0] ? barred[0].name : "这位会员没有次卡")}</h2>
      {usable.length > 1 && (
        <div className="desk-store">
          <label htmlFor="desk-card">用哪张次卡</label>
          <PickOne
            id="desk-card"
            value={scan.cardNo}
            onChange={choose}
            options={usable.map(({ cardNo, name, left }) => ({ value: cardNo, label: `${name}，剩 ${left} 次，尾号 ${cardNo.slice(-4)}` }))}
          />
        </div>
      )}
      <dl className="desk-facts">
        <Fact name="会员" value={`${of.name || "未留姓名"}，会员号 ${of.memberNo}`} />
        {card && <Fact name="还能用" value={`${card.left} 次`} />}
        {card && <Fact name="到期" value={card.endsAt ? shanghaiTime(card.endsAt).slice(0, 16) : "长期"} />}
        {card && <Fact name="次卡号" value={card.cardNo} />}
      </dl>
      {barred.map(({ cardNo, name, why }) => (
        <p key={cardNo} className="note">
          {name} 尾号 {cardNo.slice(-4)}：{why}
        </p>
      ))}
      {card && card.left > 1 && (
        <p className="desk-count">
          <Button small disabled={scan.count <= 1} onClick={() => scan.setCount(scan.count - 1)} aria-label="少核一次">
            −
          </Button>
          <b>{scan.count} 次</b>
          <Button
            small
            disabled={scan.count >= Math.min(card.left, 99)}
            onClick={() => scan.setCount(scan.count + 1)}
            aria-label="多核一次"
          >
            ＋
          </Button>
        </p>
      )}
      {card && <Pin asked={of.proof === "weak"} value={scan.pin} onChange={scan.setPin} />}
    </section>
  );
}
/** 支付密码, which the customer types. */
function Pin({ asked, value, onChange }: { asked: boolean; value: string; onChange: (pin: string) => void }): ReactNode {
  return (
    <div className="desk-pin">
      <label htmlFor="desk-pin">{asked ? "支付密码（请顾客输入）" : "支付密码（价值高时才要）"}</label>
      <input
        id="desk-pin"
        className="input"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
