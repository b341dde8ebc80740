import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getLiability, getStatements } from "../contract/index.ts";
import { Principal } from "./stored-figures.tsx";
import "./stored.css";

type Liability = OutputOf<typeof getLiability>;
type Statements = OutputOf<typeof getStatements>;
type Where = { readonly merchantId?: string; readonly storeId?: string };

/** 储值汇总: what is owed at the end of a day, to whom it came from, and what stores owe each other. */
export function StoredSummary(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const on = query.get("on") ?? today();
  const [merchantId, storeId] = [query.get("merchantId") ?? undefined, query.get("storeId") ?? undefined];
  const where: Where = { ...(merchantId && { merchantId }), ...(storeId && { storeId }) };
  const { level } = useUser();
  const liability = useDetail(getLiability, { on, ...where });
  const statements = useDetail(getStatements, { month: on.slice(0, 7), ...where });
  const choose = (more: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(more))
      if (value) query.set(name, value);
      else query.delete(name);
    setQuery(query);
  };
  return (
    <section className="list stored-body" aria-label="储值汇总">
      <header className="screen-head">
        <h1>储值汇总</h1>
        <div className="screen-acts">
          {level === "SP" && (
            <OrgPicker
              level="merchantId"
              value={merchantId}
              placeholder="全部商户"
              onChange={(id) => choose({ merchantId: id, storeId: undefined })}
            />
          )}
          <OrgPicker level="storeId" value={storeId} within={where} placeholder="全部门店" onChange={(id) => choose({ storeId: id })} />
          <label className="stored-on">
            截至 <DayInput value={on} onChange={(day) => day && choose({ on: day })} aria-label="截至哪天" />
          </label>
        </div>
      </header>
      <Loaded of={liability}>{(shown) => <Owed shown={shown} where={where} />}</Loaded>
      <Loaded of={statements}>{(shown) => <Between shown={shown} where={where} />}</Loaded>
    </section>
  );
}

function Owed({ shown, where }: { shown: Liability; where: Where }): ReactNode {
  const c = columns<Liability["stores"][number]>();
  const { flow } = shown;
  const moved = (cause: string): string =>
    `/dataCentre/cardConsumption?view=moves&report=${cause}&from=${shown.on.slice(0, 7)}-01&to=${shown.on}`;
  const stores = [
    c.link("name", "售卡门店", { to: (row) => `${moved("change")}&soldStoreId=${row.id}` }, { copy: false, width: 180 }),
    c.money("principalCents", "本金（元）", { width: 128 }),
    c.money("halfYearCents", "半年内", { width: 120 }),
    c.money("yearCents", "半年到一年", { width: 120 }),
    c.money("olderCents", "一年以上", { width: 120 }),
    c.money("giftCents", "赠送（不可退）", { width: 128 }),
  ];
  const lines: readonly (readonly [string, number])[] = [
    ["月初", flow.openingCents],
    ["充值", flow.soldCents],
    ["导入", flow.importedCents],
    ["消费（退款已减）", flow.earnedCents],
    ["退卡", flow.refundedCents],
    ["改余额与转移", flow.adjustedCents],
    ["期末", flow.closingCents],
  ];
  return (
    <div className="stored-body">
      <StatCards
        stats={[
          {
            label: "欠顾客的本金（元）",
            value: <Principal cents={shown.principalCents} />,
            definition: "这一天结束时所有会员还没用掉的本金，占用的也算；与会员账分毫不差",
            to: moved("change"),
          },
          { label: "赠送余额（不是欠款）", value: yuan(shown.giftCents), definition: "不可退、不折现" },
          ...shown.deposits.map(({ percent, cents }) => ({
            label: `存管参考 ${percent} %（元）`,
            value: <Money cents={cents} />,
            definition: `上季末 ${shown.quarterEnd} 欠顾客本金 ${yuan(shown.quarterCents)} 元的 ${percent} %；各地比例不同，只供参考`,
          })),
        ]}
      />
      <div className="sheet">
        <div className="stored-head">
          <h2 className="stored-title">按售卡门店</h2>
          <AsFile source="stored-liability" title="储值负债" filters={{ on: shown.on, ...where }} rows={shown.stores} columns={stores} />
        </div>
        <DataTable label="按售卡门店" rows={shown.stores} blank={<p className="note">这一天没有欠顾客的储值</p>} columns={stores} />
        <h2 className="stored-title">本月怎么变的</h2>
        <dl className="stored-flow">
          {lines.map(([name, cents]) => (
            <div key={name} className="stored-line">
              <dt>{name}</dt>
              <dd className="num">{yuan(cents)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

function Between({ shown, where }: { shown: Statements; where: Where }): ReactNode {
  const p = columns<Statements["pairs"][number]>();
  const pairs = [
    p.text("owes", "欠款门店", { width: 180 }),
    p.text("owed", "应收门店", { width: 180 }),
    p.money("principalCents", "本金（元）", { width: 128 }),
    p.money("giftCents", "赠送（消费门店承担）", { width: 160 }),
  ];
  const n = columns<Statements["nets"][number]>();
  return (
    <div className="sheet">
      <div className="stored-head">
        <h2 className="stored-title">跨店对账 {shown.month}</h2>
        <AsFile source="stored-statements" title="跨店对账" filters={{ month: shown.month, ...where }} rows={shown.pairs} columns={pairs} />
      </div>
      <p className="note">在别的门店用掉的本金，售卡门店欠消费门店；赠送由消费门店承担。只是对账单，不动钱；合计为零。</p>
      <DataTable label="跨店对账" rows={shown.pairs} blank={<p className="note">这个月没有跨店消费</p>} columns={pairs} />
      {shown.nets.length > 0 && (
        <DataTable
          label="各店净额"
          rows={shown.nets}
          columns={[
            n.text("name", "门店", { width: 180 }),
            n.money("owedCents", "应收（元）", { width: 128 }),
            n.money("owesCents", "应付（元）", { width: 128 }),
            n.money("netCents", "净额（元）", { width: 128 }),
          ]}
        />
      )}
    </div>
  );
}

/** The file of a table that stands whole on the screen; nothing for who may not have it. */
function AsFile<Row>({
  source,
  title,
  filters,
  rows,
  columns: shown,
}: {
  source: string;
  title: string;
  filters: Readonly<Record<string, string>>;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}): ReactNode {
  const mayExport = useAct(["/dataCentre/cardSummary/export"]);
  if (!mayExport || rows.length === 0) return null;
  return <Export source={source} title={title} unit="行" list={{ filters, total: { count: rows.length, more: false } }} columns={shown} />;
}
