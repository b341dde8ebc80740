import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { type getMember, getMemberAccount, getMemberThings } from "../contract/index.ts";

type Member = OutputOf<typeof getMember>;
type Account = OutputOf<typeof getMemberAccount>;
type Things = OutputOf<typeof getMemberThings>;
type Name = "stored" | "points";
type Tab = Name | "things" | "level";
const TABS: readonly Tab[] = ["stored", "points", "things", "level"];

const storedWorth = (a: Account): ReactNode => (
  <>
    <span className="member-worth">
      <strong>
        <Money cents={a.principalCents} />
      </strong>
      <small>本金</small>
      <span>
        <Money cents={a.giftCents} />
      </span>
      <small>赠送</small>
    </span>
    <span className="note">
      本金可退，赠送不可退；占用 <Money cents={a.heldCents} />
    </span>
  </>
);
const pointsWorth = (a: Account): ReactNode => (
  <>
    <span className="member-worth">
      <strong className="num">{a.points.toLocaleString("en-US")}</strong>
      {a.owedPoints > 0 && <small>欠分 {a.owedPoints.toLocaleString("en-US")}</small>}
      {a.pendingPoints > 0 && <small>待入账 {a.pendingPoints.toLocaleString("en-US")}</small>}
    </span>
    <span className={a.endsOn === null ? "note" : "member-warn"}>
      {a.endsOn === null ? "长期有效" : `${a.endingPoints.toLocaleString("en-US")} 分 ${a.endsOn} 到期`}
    </span>
  </>
);

const thingsWorth = (t: Things): ReactNode => (
  <>
    <span className="member-worth">
      <strong className="num">{t.coupons.length}</strong>
      <small>张券</small>
      <span className="num">{t.timesCards.length}</span>
      <small>张次卡</small>
    </span>
    <span className="note">现在能用的</span>
  </>
);
const levelWorth = (t: Things): ReactNode => (
  <>
    <span className="member-worth">
      <strong>{t.level || "无等级"}</strong>
    </span>
    <span className="note">成长值 {t.growth.toLocaleString("en-US")}</span>
  </>
);

/** What a member holds, as the tabs of what stands under them. Each is read alone: one that fails says so and never 0. */
export function MemberAccounts({ member }: { member: Member }): ReactNode {
  const { id } = member;
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const open = TABS.find((one) => one === query.get("account")) ?? "stored";
  const choose = (name: Tab): void => {
    query.set("account", name);
    void navigate({ pathname: location.pathname, search: `?${query.toString()}` }, { replace: true });
  };
  const accounts = {
    stored: useDetail(getMemberAccount, { id, account: "stored" }),
    points: useDetail(getMemberAccount, { id, account: "points" }),
  };
  const things = useDetail(getMemberThings, { id });
  const tab = (name: Tab, label: string, of: { readonly error: unknown }, shown: ReactNode): ReactNode => (
    <button
      type="button"
      role="tab"
      id={`member-tab-${name}`}
      aria-selected={open === name}
      aria-controls="member-ledger"
      tabIndex={open === name ? 0 : -1}
      onClick={() => choose(name)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        const other = TABS.at((TABS.indexOf(name) + (event.key === "ArrowLeft" ? -1 : 1)) % TABS.length) as Tab;
        choose(other);
        document.getElementById(`member-tab-${other}`)?.focus();
      }}
    >
      <span className="note">{label}</span>
      {shown ?? <span className="note">{of.error ? `${label}没读到` : "正在读取"}</span>}
    </button>
  );
  return (
    <section className="sheet member-accounts" aria-label="账户">
      <div role="tablist" className="member-tabs" aria-label="账户">
        {tab("stored", "储值（元）", accounts.stored, accounts.stored.data && storedWorth(accounts.stored.data))}
        {tab("points", "积分", accounts.points, accounts.points.data && pointsWorth(accounts.points.data))}
        {tab("things", "券和次卡", things, things.data && thingsWorth(things.data))}
        {tab("level", "等级", things, things.data && levelWorth(things.data))}
      </div>
      <div id="member-ledger" role="tabpanel" aria-labelledby={`member-tab-${open}`}>
        {open === "things" ? (
          <Loaded of={things}>{(shown) => <ThingsHeld member={member} things={shown} />}</Loaded>
        ) : open === "level" ? (
          <Loaded of={things}>{(shown) => <Levels things={shown} />}</Loaded>
        ) : (
          <Loaded of={accounts[open]}>{(account) => <Ledger name={open} account={account} />}</Loaded>
        )}
      </div>
    </section>
  );
}

const lastDay = (endsAt: string): string => shanghaiDay(Date.parse(endsAt) - 1);
/** What could be used at a till now; all that there ever was is in the lists of their rooms. */
function ThingsHeld({ member: { id, memberNo }, things }: { member: Member; things: Things }): ReactNode {
  const coupon = columns<Things["coupons"][number]>();
  const card = columns<Things["timesCards"][number]>();
  return (
    <>
      <h2>
        优惠券{" "}
        <Act of={["/dataCentre/couponDetail"]}>
          <Link className="text-link" to={`/dataCentre/couponDetail?memberId=${id}&from=&to=`}>
            全部领取记录
          </Link>
        </Act>
      </h2>
      <DataTable
        label="优惠券"
        rows={things.coupons}
        rowKey={(row) => row.no}
        columns={[
          coupon.text("name", "名称", { width: 180 }),
          coupon.text("no", "券号", (row) => `…${row.no.slice(-4)}`, { width: 96 }),
          coupon.text("endsAt", "最后一天", (row) => lastDay(row.endsAt), { width: 112 }),
        ]}
        blank={<p className="note">没有能用的券</p>}
      />
      <h2>
        次卡{" "}
        <Act of={["/vip-member/timesOrders"]}>
          <Link className="text-link" to={`/vip-member/timesOrders?keyword=${memberNo}&from=&to=`}>
            全部次卡
          </Link>
        </Act>
      </h2>
      <DataTable
        label="次卡"
        rows={things.timesCards}
        rowKey={(row) => row.no}
        columns={[
          card.text("name", "名称", { width: 180 }),
          card.text("no", "卡号", { width: 136 }),
          card.number("left", "剩余次数", { width: 96 }),
          card.text("endsAt", "最后一天", (row) => lastDay(row.endsAt), { width: 112 }),
        ]}
        blank={<p className="note">没有能用的次卡</p>}
      />
    </>
  );
}
function Levels({ things }: { things: Things }): ReactNode {
  const step = columns<Things["levels"][number]>();
  return (
    <>
      <h2>等级变化</h2>
      <DataTable
        label="等级变化"
        rows={things.levels}
        columns={[
          step.time("at", "时间"),
          step.text("from", "从", { width: 120 }),
          step.text("to", "到", { width: 120 }),
          step.text("cause", "事由", { width: 144 }),
        ]}
        blank={<p className="note">等级还没有变过</p>}
      />
    </>
  );
}

const amount = (name: Name, value: number | null): ReactNode =>
  value === null ? (
    <span className="blank">—</span>
  ) : name === "stored" ? (
    <Money cents={value as never} />
  ) : (
    <span className="num">{value.toLocaleString("en-US").replace("-", "−")}</span>
  );

function Ledger({ name, account }: { name: Name; account: Account }): ReactNode {
  const stored = name === "stored";
  const lot = columns<Account["lots"][number]>();
  const entry = columns<Account["entries"][number]>();
  const right = (key: string, title: string, of: (row: never) => ReactNode) => ({
    key,
    title,
    kind: "money" as const,
    width: 104,
    render: of as never,
  });
  return (
    <>
      {account.lots.length > 0 && (
        <>
          <h2>批次</h2>
          <DataTable
            label="批次"
            rows={account.lots}
            columns={[
              lot.text("at", stored ? "充值" : "获得", (row) => [shanghaiDay(row.at), row.place].filter(Boolean).join(" "), { width: 180 }),
              right("whole", stored ? "本金" : "积分", (row: Account["lots"][number]) => amount(name, row.whole)),
              ...(stored ? [right("gift", "赠送", (row: Account["lots"][number]) => amount(name, row.gift))] : []),
              right("left", stored ? "剩本金" : "剩余", (row: Account["lots"][number]) => <strong>{amount(name, row.left)}</strong>),
              ...(stored
                ? [right("giftLeft", "剩赠送", (row: Account["lots"][number]) => amount(name, row.giftLeft))]
                : [lot.text("endsOn", "有效期至", (row) => row.endsOn ?? "长期", { width: 112 })]),
            ]}
          />
        </>
      )}
      <h2>
        {stored ? "储值流水" : "积分流水"} <span className="note">每笔之后剩多少</span>
      </h2>
      <DataTable
        label={stored ? "储值流水" : "积分流水"}
        rows={account.entries}
        columns={[
          entry.time("at", "时间"),
          entry.text(
            "cause",
            "事由",
            (row) => (
              <>
                {row.cause}{" "}
                {row.orderId !== null && (
                  <Link className="text-link" to={`/dataCentre/payOrder?id=${row.orderId}`}>
                    …{row.orderNo?.slice(-4)}
                  </Link>
                )}
              </>
            ),
            { width: 132 },
          ),
          entry.text("place", "门店", { width: 96 }),
          right("moved", stored ? "本金" : "积分", (row: Account["entries"][number]) => amount(name, row.moved)),
          right("movedGift", stored ? "赠送" : "待入账", (row: Account["entries"][number]) => amount(name, row.movedGift)),
          right("after", stored ? "剩本金" : "剩余", (row: Account["entries"][number]) => amount(name, row.after)),
          ...(stored ? [right("giftAfter", "剩赠送", (row: Account["entries"][number]) => amount(name, row.giftAfter))] : []),
        ]}
        blank={<p className="note">还没有流水</p>}
      />
    </>
  );
}
