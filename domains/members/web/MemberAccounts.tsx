import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { type getMember, getMemberAccount } from "../contract/index.ts";

type Member = OutputOf<typeof getMember>;
type Account = OutputOf<typeof getMemberAccount>;
type Name = "stored" | "points";

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

/** The accounts, which are the tabs of the ledger under them. Each is read alone: one that fails says so and never 0. */
export function MemberAccounts({ member: { id } }: { member: Member }): ReactNode {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const open: Name = query.get("account") === "points" ? "points" : "stored";
  const choose = (name: Name): void => {
    query.set("account", name);
    void navigate({ pathname: location.pathname, search: `?${query.toString()}` }, { replace: true });
  };
  const accounts = {
    stored: useDetail(getMemberAccount, { id, account: "stored" }),
    points: useDetail(getMemberAccount, { id, account: "points" }),
  };
  const tab = (name: Name, label: string, shown: (account: Account) => ReactNode): ReactNode => (
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
        const other = name === "stored" ? "points" : "stored";
        choose(other);
        document.getElementById(`member-tab-${other}`)?.focus();
      }}
    >
      <span className="note">{label}</span>
      {accounts[name].data ? (
        shown(accounts[name].data)
      ) : (
        <span className="note">{accounts[name].error ? `${label}没读到` : "正在读取"}</span>
      )}
    </button>
  );
  return (
    <section className="sheet member-accounts" aria-label="账户">
      <div role="tablist" className="member-tabs" aria-label="账户">
        {tab("stored", "储值（元）", storedWorth)}
        {tab("points", "积分", pointsWorth)}
      </div>
      <div id="member-ledger" role="tabpanel" aria-labelledby={`member-tab-${open}`}>
        <Loaded of={accounts[open]}>{(account) => <Ledger name={open} account={account} />}</Loaded>
      </div>
    </section>
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
