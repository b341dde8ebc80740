import type { ReactNode } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, mayAct, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  closeStoreDay,
  getStoreDay,
  getStoreMonth,
  listStoreDays,
  proposeStoreDay,
  reopenStoreDay,
  summariseStoreDays,
  withdrawStoreDay,
} from "../../contract/index.ts";
import { hindranceWords, lineName, madeOf, namedFigures, summed, unexplained } from "../../contract/store-day-words.ts";
import { wayOf } from "./store-day-links.ts";
import type { StoreDay } from "./store-day-links.ts";

export const STORE_DAY_READS = [getStoreDay, getStoreMonth, listStoreDays, summariseStoreDays];

/** What hinders closing, each with its way, and the two steps of it. */
export function StoreDayClosing({ data, onReopen }: { data: StoreDay; onReopen: () => void }): ReactNode {
  const { status, hindrances } = data;
  const blocks = hindrances.filter((one) => one.blocks);
  const title =
    status === "closed"
      ? "已关账"
      : blocks.length > 0
        ? `还差 ${blocks.length} 件就能关账`
        : status === "proposed"
          ? "等另一人确认"
          : "可以关账";
  return (
    <section className="sheet storeday-card">
      <h2>{title}</h2>
      {status === "closed" && hindrances.length > 0 && <p className="note">关账时还没到的，记在这里：</p>}
      {hindrances.length === 0 ? (
        status !== "closed" && <p className="note">没有要先处理的事。</p>
      ) : (
        <ul className="storeday-hindrances">
          {hindrances.map((one) => (
            <li key={`${one.kind}/${one.source}/${one.dayId ?? ""}`} className={one.blocks ? "storeday-blocks" : "storeday-warns"}>
              <Icon name={one.blocks ? "bad" : "info"} />
              <span>
                {hindranceWords(one, data.day)}
                {status !== "closed" && <Way of={one} data={data} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Said data={data} />
      <Acts data={data} hindered={blocks.length} onReopen={onReopen} />
    </section>
  );
}
function Way({ of, data }: { of: StoreDay["hindrances"][number]; data: StoreDay }): ReactNode {
  const user = useUser();
  const way = wayOf(of, data);
  if (!way || !mayAct(user, [way.item as never])) return null;
  return (
    <>
      {" "}
      <Link to={way.path}>{way.words}</Link>
    </>
  );
}
function Said({ data }: { data: StoreDay }): ReactNode {
  const pairs: readonly (readonly [string, ReactNode])[] = [
    ["提交人", data.proposedBy && <Signed name={data.proposedBy} at={data.proposedAt} />],
    ["说明", data.note],
    ["确认人", data.closedBy && <Signed name={data.closedBy} at={data.closedAt} />],
    ["上次撤销", data.reopenedBy && `${data.reopenedBy}：${data.reopenReason ?? ""}`],
  ];
  const shown = pairs.filter(([, value]) => value !== "" && value !== null);
  if (shown.length === 0) return null;
  return (
    <dl className="storeday-said">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
const Signed = ({ name, at }: { name: string; at: StoreDay["closedAt"] }): ReactNode => (
  <>
    {name} {at && <Time at={at} />}
  </>
);

function Acts({ data, hindered, onReopen }: { data: StoreDay; hindered: number; onReopen: () => void }): ReactNode {
  const { storeId, day, status, version, storeName } = data;
  const [busy, run] = useRun(STORE_DAY_READS);
  const [mayPropose, mayConfirm] = [useAct(proposeStoreDay), useAct(closeStoreDay)];
  const about = { storeId, day };
  const seen = namedFigures(data.figures);
  const { ownCents, settledCents, owedCents } = madeOf(data.figures);
  const sums = `${storeName} ${day}：合计 ¥${yuan(summed(data.figures.lines).incomeCents)}（已在账上 ¥${yuan(ownCents)}，平台 ¥${yuan(settledCents + owedCents)}）`;
  const warns = data.hindrances.filter((one) => !one.blocks).map((one) => hindranceWords(one, day));
  const noted = warns.length > 0 ? `记下：${warns.join("；")}。` : "";
  const propose = async (): Promise<void> => {
    if (await confirm(`提交关账 ${sums}。${noted}提交后由另一人确认。`, { ok: "提交关账" }))
      await run(async () => {
        await call(proposeStoreDay, { requestId: crypto.randomUUID(), ...about, seen });
        success("已提交，等另一人确认");
      });
  };
  const close = async (): Promise<void> => {
    if (await confirm(`确认关账 ${sums}。${noted}关账后这一天不再变，之后的更正另列。`, { ok: `关账 ${day}` }))
      await run(async () => {
        await call(closeStoreDay, { requestId: crypto.randomUUID(), ...about, version, seen });
        success(`${storeName} ${day} 已关账`);
      });
  };
  const withdraw = (): Promise<void> =>
    run(async () => {
      await call(withdrawStoreDay, { ...about, version });
      success("已撤回");
    });
  if (status === "closed")
    return (
      <Act of={reopenStoreDay}>
        <div className="storeday-acts">
          <Button onClick={onReopen}>撤销关账</Button>
        </div>
      </Act>
    );
  if (!mayPropose) return null;
  return (
    <>
      <div className="storeday-acts">
        {status === "open" ? (
          <Button tone="primary" disabled={hindered > 0} busy={busy} onClick={() => void propose()}>
            提交关账
          </Button>
        ) : (
          <>
            {data.decidable && mayConfirm && (
              <Button tone="primary" disabled={hindered > 0} busy={busy} onClick={() => void close()}>
                确认关账
              </Button>
            )}
            {data.withdrawable && (
              <Button busy={busy} onClick={() => void withdraw()}>
                撤回
              </Button>
            )}
          </>
        )}
      </div>
      <p className="note">{whoConfirms(data)}</p>
    </>
  );
}

function whoConfirms({ status, decidable, withdrawable }: StoreDay): string {
  if (status === "open") return "一人提交，另一人确认；关账后这一天不再变，之后的更正另列。";
  if (decidable) return "看过数再确认，之后不再变。";
  return withdrawable ? "提交的人不能自己确认，请同级或上级的另一人来。" : "上级提交的，由同级或上级的另一人确认，或由他们撤回。";
}

/** What is another figure now than what was proposed or closed over. */
export function Changes({ data }: { data: StoreDay }): ReactNode {
  if (data.changes.length === 0) return null;
  const closed = data.status === "closed";
  return (
    <section className="sheet storeday-card">
      <h2>{closed ? "关账后变动" : "提交后变动"}</h2>
      <ul className="storeday-changes">
        {data.changes.map((one) => (
          <li key={one.name}>
            <span>{one.name}</span>
            <span className="num">
              {one.money ? yuan(one.before) : one.before} → {one.money ? yuan(one.now) : one.now}
            </span>
          </li>
        ))}
      </ul>
      <p className="note">{closed ? "左边的数是关账时的，不会改；这里是现在再算的。" : "要按新的数关账，请撤回后重新提交。"}</p>
    </section>
  );
}
/** Lines whose columns do not make what they came to. */
export function Explained({ data }: { data: StoreDay }): ReactNode {
  const odd = data.figures.lines.filter((line) => unexplained(line) !== 0 || line.odd > 0);
  if (odd.length === 0) return null;
  return (
    <section className="sheet storeday-card">
      <h2>需要解释的</h2>
      <ul className="storeday-changes">
        {odd.map((line) => (
          <li key={`${line.band}/${line.key}`}>
            <span>
              {lineName(line)} {line.odd > 0 ? `${line.odd} 单收入与分项不符` : "归门店与分项相差"}
            </span>
            <Money cents={unexplained(line) as never} sign />
          </li>
        ))}
      </ul>
      <p className="note">
        归门店 = 顾客付 + 平台补贴 − 手续费 − 退款。差额是平台承担的退款，或平台给的收入和它的分项算不拢；按平台给的记，不改。
      </p>
    </section>
  );
}
