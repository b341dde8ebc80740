import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { FilterBar } from "@zhangfang/web/list/FilterBar.tsx";
import { Pager } from "@zhangfang/web/list/Pager.tsx";
import { type List, useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useKey } from "@zhangfang/web/window/use-key.ts";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import {
  deliveryState,
  getPushDelivery,
  getPushEndpoint,
  listPushDeliveries,
  pushEvent,
  replayFailedPushes,
} from "../../contract/index.ts";
import { CheckDrawer } from "../CheckDrawer.tsx";
import { type Endpoint, Standing, TestButton } from "../EndpointDrawer.tsx";
import { share } from "../push-words.ts";
import { DeliveryPane } from "./DeliveryPane.tsx";
import { DeliveryRows } from "./DeliveryRows.tsx";
import "../integrations.css";

/** 推送记录: the list left, one delivery right; of one address, or of all. */
export function PushDeliveries(): ReactNode {
  const list = useList(listPushDeliveries, { live_ms: 5_000 });
  const check = usePanel("check");
  const narrow = useNarrow();
  const endpointId = list.filters["endpointId"];
  const endpoint = useDetail(getPushEndpoint, endpointId ? { id: endpointId } : undefined, { live_ms: 15_000 }).data;
  // A wide page shows the newest without being asked; a phone shows the list until one is chosen.
  const shown = list.openId ?? (narrow ? undefined : list.rows[0]?.id);
  const delivery = useDetail(getPushDelivery, shown ? { id: shown } : undefined, {
    until: ({ state }) => state === "succeeded" || state === "abandoned",
  });
  const pane = shown && (
    <DeliveryPane
      key={shown}
      of={delivery}
      onCheck={() => check.open(delivery.data?.endpointId)}
      onReplay={() => list.open(shown)}
      onBack={narrow ? list.close : undefined}
    />
  );
  return (
    <section className="push" aria-label="推送记录">
      <header className="screen-head">
        <h1>推送记录</h1>
        {endpoint && <Whose of={endpoint} />}
        <div className="screen-acts">
          {endpoint && <TestButton of={endpoint} />}
          {endpoint && endpoint.state !== "disabled" && endpoint.abandoned > 0 && <ReplayFailed of={endpoint} days={list.filters} />}
        </div>
      </header>
      {endpoint && <Standing of={endpoint} />}
      <Filters of={list} />
      {list.error ? (
        <Failure error={list.error} retry={list.refresh} />
      ) : list.loading ? (
        <Skeleton rows={8} />
      ) : list.rows.length === 0 && !shown ? (
        <Nothing endpoint={endpoint} filtered={Object.keys(list.filters).some((name) => name !== "endpointId")} onReset={list.reset} />
      ) : (
        <div className="push-body">
          {!(narrow && list.openId) && <Left of={list} shown={shown} keys={!narrow} />}
          {pane}
        </div>
      )}
      {check.id && delivery.data?.endpointId === check.id && (
        <CheckDrawer row={{ id: check.id, name: delivery.data.endpointName }} onClose={check.close} />
      )}
    </section>
  );
}
type Deliveries = List<typeof listPushDeliveries>;
function Filters({ of: list }: { of: Deliveries }): ReactNode {
  return (
    <div className="sheet push-filters">
      <FilterBar
        list={list}
        filters={
          <>
            <Choice of={list.field("state")} label="状态" set={deliveryState} />
            <Choice of={list.field("type")} label="事件" set={TYPES} />
            <Keyword of={list.field("keyword")} label="单号" placeholder="单号 / webhook-id" />
          </>
        }
        more={
          <>
            <DateRange of={list.range("from", "to")} label="发生时间" />
            <OrgFilter of={list} levels={["serviceProviderId"]} />
          </>
        }
      />
    </div>
  );
}
function Left({ of: list, shown, keys }: { of: Deliveries; shown: string | undefined; keys: boolean }): ReactNode {
  const at = list.rows.findIndex(({ id }) => id === shown);
  return (
    <div className="push-left sheet">
      {list.fresh > 0 && (
        <button type="button" className="fresh" onClick={list.refresh}>
          有 {list.fresh} 条新记录，点击查看
        </button>
      )}
      <DeliveryRows rows={list.rows} shown={shown} whose={!list.filters["endpointId"]} onOpen={list.open} />
      {keys && (
        <p className="push-keys">
          <Step keyName="j" label="J 下一条" to={list.rows[at + 1]?.id} onOpen={list.open} />
          <Step keyName="k" label="K 上一条" to={list.rows[at - 1]?.id} onOpen={list.open} />
          <span>R 重放 · C 复制字节</span>
        </p>
      )}
      <div className="push-foot">
        <Pager list={list} unit="条" />
      </div>
    </div>
  );
}
/** The wire's own names, as whoever writes a receiver knows them. */
const TYPES = { ...pushEvent, options: pushEvent.values.map((value) => ({ value, label: `${value} ${pushEvent.label(value)}` })) };

function Whose({ of: { name, url, day } }: { of: Endpoint }): ReactNode {
  return (
    <p className="push-whose">
      {name} · <span className="push-url">{new URL(url).host}</span>
      {day.count > 0 && ` · 近 24 小时 ${day.count.toLocaleString("en-US")} 条，成功 ${share(day.succeeded, day.count)}`}
    </p>
  );
}
function Step({
  keyName,
  label,
  to,
  onOpen,
}: {
  keyName: string;
  label: string;
  to: string | undefined;
  onOpen: (id: string) => void;
}): ReactNode {
  const button = useKey(keyName);
  return (
    <Button ref={button} tone="link" aria-keyshortcuts={keyName.toUpperCase()} disabled={to === undefined} onClick={() => to && onOpen(to)}>
      {label}
    </Button>
  );
}
function ReplayFailed({ of: { id, name, abandoned }, days }: { of: Endpoint; days: Readonly<Record<string, string>> }): ReactNode {
  const [busy, run] = useRun([listPushDeliveries, getPushDelivery, getPushEndpoint]);
  const { from, to } = days;
  const span = from || to ? `${from ?? "最早"} 至 ${to ?? "现在"} 失败的` : `失败的 ${abandoned.toLocaleString("en-US")} 条`;
  const replay = async (): Promise<void> => {
    if (!(await confirm(`向「${name}」重放${span}？正文和 webhook-id 不变，对方会再收到一次。`, { ok: "重放" }))) return;
    await run(async () => {
      const { replayed } = await call(replayFailedPushes, { endpointId: id, ...(from && { from }), ...(to && { to }) });
      success(`${replayed.toLocaleString("en-US")} 条已排上，马上开始推`);
    });
  };
  return (
    <Act of={replayFailedPushes}>
      <Button tone="primary" busy={busy} onClick={() => void replay()}>
        {from || to ? "重放这几天失败的" : `重放失败 ${abandoned.toLocaleString("en-US")} 条`}
      </Button>
    </Act>
  );
}
function Nothing({ endpoint, filtered, onReset }: { endpoint: Endpoint | undefined; filtered: boolean; onReset: () => void }): ReactNode {
  if (filtered) return <Empty drawing="search" text="没有符合条件的推送" action={<Button onClick={onReset}>清除条件</Button>} />;
  if (endpoint) return <Empty text="还没有事件，发一条测试，看对方收不收得到" action={<TestButton of={endpoint} primary />} />;
  return <Empty text="还没有推送记录。先到数据推送新建一个地址" action={<a href="#/admin/dataPush">去数据推送</a>} />;
}
