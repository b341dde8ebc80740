import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Endpoint, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import { Button } from "../show/Button.tsx";
import { Empty, Failure } from "../show/Empty.tsx";
import { copyRows, rowsOf } from "../copy-rows.ts";
import { Icon } from "../show/icons.tsx";
import { Popover } from "../show/over/Popover.tsx";
import { Skeleton } from "../show/Skeleton.tsx";
import { useNarrow } from "../window/use-narrow.ts";
import { useWidth } from "../window/use-width.ts";
import { Batch, type Selection, useTicks } from "./Batch.tsx";
import { CardRows } from "./table/CardRows.tsx";
import { TICK_WIDTH } from "./table/column-settings.ts";
import { ColumnPicker } from "./table/ColumnPicker.tsx";
import type { Column } from "./table/columns.tsx";
import { DataTable, type RowKeys, type Ticks } from "./table/DataTable.tsx";
import { Export } from "./Export.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { Pager, totalText } from "./Pager.tsx";
import { StatusTabs } from "./StatusTabs.tsx";
import { type Columns, useColumns } from "./table/use-columns.ts";
import { useListKeys } from "./use-list-keys.ts";
import type { FilterField, List } from "./use-list.ts";
import { useView } from "./views/use-view.ts";
import { ViewButton } from "./views/ViewButton.tsx";
import { levelWords } from "../level-names.ts";

export interface ListScreenProps<E extends Endpoint> {
  readonly title: string;
  readonly list: List<E>;
  readonly columns: readonly Column<RowOf<E>>[];
  /** The filters that are always seen; `moreFilters` are folded behind 展开. */
  readonly filters?: ReactNode;
  readonly moreFilters?: ReactNode;
  /** Tabs over a status, with counts where a summary brings them. */
  readonly tabs?: { readonly of: FilterField; readonly set: Labelled; readonly counts?: Readonly<Record<string, number>> | undefined };
  /** What the filter says as figures and charts, between it and the rows. */
  readonly figures?: ReactNode;
  /** The sums of the whole filter as a row under the rows. */
  readonly foot?: RowOf<E> | undefined;
  /** Sums of the whole filter, not of the page. @example [["实收", <Money cents={sums.paid} symbol />]] */
  readonly totals?: readonly (readonly [label: string, value: ReactNode])[] | undefined;
  /** Buttons of the screen, right of its title. */
  readonly actions?: ReactNode;
  /** Acts on ticked rows; with it rows can be ticked, and 全部 N 条 too. */
  readonly batch?: (selection: Selection) => ReactNode;
  /** The export source's name on the server: an export button with the whole filter and the columns that are seen. */
  readonly exportSource?: string;
  /** Draws the rows in place of the table and of the cards of a phone: things that are known by their looks. */
  readonly tiles?: ((ticks: Ticks | undefined) => ReactNode) | undefined;
  /** Where the screen has an own answer to "nothing here yet". */
  readonly empty?: { readonly text: string; readonly action?: ReactNode };
  /** 笔, 家, 台, 人 … */
  readonly unit?: string;
  readonly rowKey?: (row: RowOf<E>) => string;
  /** A press on a row; opens the drawer of the row unless told otherwise. */
  readonly onOpen?: ((row: RowOf<E>) => void) | false;
  /** Where a row is by itself, with `onOpen`; without one it is the list with the row's drawer. */
  readonly hrefOf?: (row: RowOf<E>) => string;
  /** Letters that do something with the row that has the focus. */
  readonly rowKeys?: RowKeys<RowOf<E>>;
  /** Drawers. */
  readonly children?: ReactNode;
}

export { Skeleton } from "../show/Skeleton.tsx";

const keyOf = (row: unknown): string => String((row as { id?: unknown }).id);

/**
 * A list as people work with it: title, status tabs, filters and their chips, totals and tools, table or cards, pager.
 * @example see kit/web/README.md, the recipe for a list screen
 */
export function ListScreen<E extends Endpoint>(props: ListScreenProps<E>): ReactNode {
  const { list, unit = "条" } = props;
  const title = levelWords(props.title);
  const view = useView(list);
  const columns = useColumns(list.endpoint.path, props.columns, view);
  const seenKeys = columns.seen.filter(({ kind }) => kind !== "actions").map(({ key }) => key);
  const ticks = useTicks(JSON.stringify(list.filters));
  const screen = useRef<HTMLElement>(null);
  useListKeys(screen);
  const rows = useRef<HTMLDivElement>(null);
  const room = useWidth(rows);
  const gathering = useGathering("totals" in props && props.totals === undefined);
  const ticked = props.batch !== undefined && (ticks.keys.size > 0 || ticks.all);
  return (
    <section className="list" ref={screen} aria-label={title}>
      <header className="screen-head">
        <div className="screen-title">
          <h1>{title}</h1>
          <ViewButton
            list={list}
            title={title}
            unit={unit}
            view={view}
            settings={columns.chosen}
            changedColumns={columns.changed}
            columns={seenKeys}
            exportSource={props.exportSource}
          />
        </div>
        <div className="screen-acts">{props.actions}</div>
      </header>
      {props.tabs && <StatusTabs {...props.tabs} counted={"counts" in props.tabs && props.tabs.counts === undefined} />}
      {props.figures && (
        <>
          <div className="sheet list-filters">
            <FilterBar list={list} filters={props.filters} more={props.moreFilters} />
          </div>
          {props.figures}
        </>
      )}
      <div className="sheet">
        {props.filters && !props.figures && <FilterBar list={list} filters={props.filters} more={props.moreFilters} />}
        {list.fresh > 0 && (
          <button type="button" className="fresh" onClick={list.refresh}>
            有 {list.fresh} {unit}新数据，点击查看
          </button>
        )}
        {ticked ? (
          <Batch ticks={ticks} list={list} unit={unit} columns={seenKeys}>
            {props.batch}
          </Batch>
        ) : gathering ? null : (
          <Bar {...props} title={title} unit={unit} shown={columns} room={props.batch && room > 0 ? room - TICK_WIDTH : room} />
        )}
        <div ref={rows} className={list.refreshing ? "rows refreshing" : "rows"} aria-busy={list.loading || list.refreshing || gathering}>
          <Rows
            {...props}
            title={title}
            shown={columns}
            room={room}
            gathering={gathering}
            ticks={props.batch ? ticks.among(list.rows.map(props.rowKey ?? keyOf)) : undefined}
          />
        </div>
        {(list.rows.length > 0 || list.address.page > 1) && <Pager list={list} unit={unit} />}
      </div>
      {props.children}
    </section>
  );
}

/** How long a phone waits for the totals with its rows. */
const GATHERING_MS = 400;
/**
 * On a phone the totals stand over the rows and push them down when they come: both are shown at once where both come soon.
 * @param expected the totals have not come
 */
function useGathering(expected: boolean): boolean {
  const narrow = useNarrow();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), GATHERING_MS);
    return () => clearTimeout(timer);
  }, []);
  return narrow && expected && !over;
}

/** The totals of the filter, and the tools: refresh, export, columns. */
function Bar<E extends Endpoint>({
  title,
  list,
  unit = "",
  totals,
  exportSource,
  shown,
  room,
}: ListScreenProps<E> & { shown: Columns<RowOf<E>>; room: number }): ReactNode {
  const narrow = useNarrow();
  return (
    <div className="list-bar">
      <p className="totals">
        {list.total && <strong>{totalText(list.total, unit)}</strong>}
        {totals?.map(([label, value]) => (
          <span key={label}>
            {levelWords(label)} <b>{value}</b>
          </span>
        ))}
      </p>
      <div className="list-tools">
        <button type="button" className="icon-button" aria-label="刷新" onClick={list.refresh}>
          <Icon name="refresh" className={list.refreshing ? "turning" : ""} />
        </button>
        {exportSource !== undefined && <Export source={exportSource} title={title} unit={unit} list={list} columns={shown.seen} />}
        <ColumnPicker columns={shown} room={narrow ? 0 : room} />
        {!narrow && <OnPaper />}
      </div>
    </div>
  );
}

/** What is done with the shown rows as they are: the clipboard and the printer. */
function OnPaper(): ReactNode {
  const bar = useRef<HTMLSpanElement>(null);
  const copy = (): void => {
    const table = bar.current?.closest(".sheet")?.querySelector<HTMLTableElement>(".rows table");
    if (table) void copyRows(rowsOf(table));
  };
  return (
    <span ref={bar}>
      <Popover small tone="quiet" name="更多列表操作" label={<Icon name="more" />} className="more">
        {(close) => (
          <div className="more-items" onClick={close}>
            <Button tone="quiet" onClick={copy}>
              <Icon name="copy" size={14} /> 复制本页表格
            </Button>
            <Button tone="quiet" onClick={() => setTimeout(print)}>
              <Icon name="print" size={14} /> 打印本页
            </Button>
          </div>
        )}
      </Popover>
    </span>
  );
}

/** The rows as a table, as cards on a phone, or why there are none. */
function Rows<E extends Endpoint>({
  title,
  list,
  rowKey = keyOf,
  shown,
  ticks,
  empty,
  gathering,
  room,
  ...props
}: ListScreenProps<E> & { shown: Columns<RowOf<E>>; ticks: Ticks | undefined; gathering: boolean; room: number }): ReactNode {
  const narrow = useNarrow();
  const onOpen = props.onOpen === false ? undefined : (props.onOpen ?? ((row: RowOf<E>) => list.open(rowKey(row))));
  const hrefOf = props.hrefOf ?? (props.onOpen === undefined ? (row: RowOf<E>) => list.hrefOf(rowKey(row)) : undefined);
  if (list.loading || gathering) return <Skeleton rows={Math.min(list.pageSize, 10)} />;
  const blank = <Blank list={list} empty={empty} />;
  if (list.rows.length === 0 && (narrow || list.error)) return blank;
  if (props.tiles && list.rows.length > 0) return props.tiles(ticks);
  if (narrow) return <CardRows label={title} rows={list.rows} columns={shown.seen} rowKey={rowKey} onOpen={onOpen} ticks={ticks} />;
  return (
    <DataTable
      label={title}
      rows={list.rows}
      columns={shown.all}
      rowKey={rowKey}
      density={shown.density}
      settings={shown.settings}
      room={room}
      onWidth={shown.setWidth}
      sort={list.address.sort}
      onSort={list.setSort}
      onOpen={onOpen}
      hrefOf={hrefOf}
      rowKeys={props.rowKeys}
      openKey={list.openId}
      ticks={ticks}
      foot={props.foot}
      blank={blank}
    />
  );
}

/** Why there is nothing: a failure, no right to see, no match, or nothing yet; each says what to do next. */
function Blank({
  list,
  empty,
}: {
  list: Pick<List, "error" | "refresh" | "filters" | "defaults" | "reset">;
  empty: { text: string; action?: ReactNode } | undefined;
}): ReactNode {
  if (list.error?.status === 403) return <Empty drawing="seal" text="没有权限查看这些数据，请联系管理员开通" />;
  if (list.error) return <Failure error={list.error} retry={list.refresh} />;
  // Taking filters away helps only where somebody set one that the screen did not begin with.
  if (Object.entries(list.filters).some(([name, value]) => list.defaults[name] !== value))
    return <Empty drawing="search" text="没有符合筛选条件的数据" action={<Button onClick={list.reset}>清除筛选</Button>} />;
  return <Empty drawing="ledger" text={levelWords(empty?.text ?? "还没有数据")} action={empty?.action} />;
}
