import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { Endpoint, RowOf } from "@zhangfang/contract/endpoint.ts";
import { FilterMode } from "../filter/filter-mode.tsx";
import { columnsName, usePreference } from "../preferences.ts";
import { Button } from "../show/Button.tsx";
import { Empty, Failure } from "../show/Empty.tsx";
import { Icon } from "../show/icons.tsx";
import { useNarrow } from "../use-narrow.ts";
import { Batch, type Selection, useTicks } from "./Batch.tsx";
import { CardRows } from "./CardRows.tsx";
import type { ColumnSettings } from "./column-settings.ts";
import { seen } from "./column-settings.ts";
import { ColumnPicker } from "./ColumnPicker.tsx";
import type { Column } from "./columns.tsx";
import { DataTable, type Density } from "./DataTable.tsx";
import { Export } from "./Export.tsx";
import { Pager, totalText } from "./Pager.tsx";
import { StatusTabs } from "./StatusTabs.tsx";
import type { FilterField, List } from "./use-list.ts";

export interface ListScreenProps<E extends Endpoint> {
  readonly title: string;
  readonly list: List<E>;
  readonly columns: readonly Column<RowOf<E>>[];
  /** The filters that are always seen; `moreFilters` are folded behind 展开. */
  readonly filters?: ReactNode;
  readonly moreFilters?: ReactNode;
  /** Tabs over a status, with counts where a summary brings them. */
  readonly tabs?: { readonly of: FilterField; readonly set: Labelled; readonly counts?: Readonly<Record<string, number>> | undefined };
  /** Sums of the whole filter, not of the page. @example [["实收", <Money cents={sums.paid} symbol />]] */
  readonly totals?: readonly (readonly [label: string, value: ReactNode])[] | undefined;
  /** Buttons of the screen, right of its title. */
  readonly actions?: ReactNode;
  /** Acts on ticked rows; with it rows can be ticked, and 全部 N 条 too. */
  readonly batch?: (selection: Selection) => ReactNode;
  /** The export source's name on the server: an export button with the whole filter and the columns that are seen. */
  readonly exportSource?: string;
  /** Where the screen has an own answer to "nothing here yet". */
  readonly empty?: { readonly text: string; readonly action?: ReactNode };
  /** 笔, 家, 台, 人 … */
  readonly unit?: string;
  readonly rowKey?: (row: RowOf<E>) => string;
  /** A press on a row; opens the drawer of the row unless told otherwise. */
  readonly onOpen?: ((row: RowOf<E>) => void) | false;
  /** Drawers. */
  readonly children?: ReactNode;
}

const keyOf = (row: unknown): string => String((row as { id?: unknown }).id);

/**
 * A list as people work with it: title, status tabs, filters and their chips, totals and tools, table or cards, pager.
 * @example see kit/web/README.md, the recipe for a list screen
 */
export function ListScreen<E extends Endpoint>(props: ListScreenProps<E>): ReactNode {
  const { title, list, columns, unit = "条", rowKey = keyOf, batch } = props;
  const [settings, setSettings] = usePreference<ColumnSettings>(columnsName(list.endpoint.path));
  const [density = "standard", setDensity] = usePreference<Density>("density");
  const [unfolded, setUnfolded] = useState(false);
  const [filtering, setFiltering] = useState(false);
  const narrow = useNarrow();
  const ticks = useTicks(JSON.stringify(list.filters));
  const screen = useRef<HTMLElement>(null);
  useListKeys(screen);
  const onOpen = props.onOpen === false ? undefined : (props.onOpen ?? ((row: RowOf<E>) => list.open(rowKey(row))));
  const onWidth = (key: string, width: number | undefined): void => {
    const { [key]: _old, ...widths } = settings?.widths ?? {};
    setSettings({ ...settings, widths: width === undefined ? widths : { ...widths, [key]: Math.round(width) } });
  };
  const blank = <Blank list={list} {...(props.empty && { empty: props.empty })} />;
  const ticking = batch ? ticks : undefined;

  return (
    <section className="list" ref={screen} aria-label={title}>
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-acts">{props.actions}</div>
      </header>
      {props.tabs && <StatusTabs {...props.tabs} />}
      <div className="sheet">
        {props.filters && narrow && (
          <Button small aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
            <Icon name={filtering ? "up" : "down"} size={14} />
            {filtering ? "收起筛选" : "筛选"}
          </Button>
        )}
        {props.filters && (!narrow || filtering) && (
          <form className="filters" role="search" onSubmit={(event) => (event.preventDefault(), list.refresh())}>
            <FilterMode value={{ mode: "field", defaults: list.defaults }}>
              {props.filters}
              {unfolded && props.moreFilters}
            </FilterMode>
            <div className="filter-acts">
              <Button tone="primary" type="submit" busy={list.refreshing}>
                查询
              </Button>
              <Button onClick={list.reset}>重置</Button>
              {props.moreFilters && (
                <Button tone="link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
                  {unfolded ? "收起筛选" : "更多筛选"}
                </Button>
              )}
            </div>
          </form>
        )}
        <FilterMode value={{ mode: "chip", defaults: list.defaults }}>
          <div className="chips">
            {props.filters}
            {props.moreFilters}
          </div>
        </FilterMode>
        {list.fresh > 0 && (
          <button type="button" className="fresh" onClick={list.refresh}>
            有 {list.fresh} 条新数据，点击查看
          </button>
        )}
        {ticking && (ticks.keys.size > 0 || ticks.all) ? (
          <Batch ticks={ticks} list={list} unit={unit}>
            {batch}
          </Batch>
        ) : (
          <div className="list-bar">
            <p className="totals">
              <strong>{totalText(list.total, unit)}</strong>
              {props.totals?.map(([label, value]) => (
                <span key={label}>
                  {label} <b>{value}</b>
                </span>
              ))}
            </p>
            <div className="list-tools">
              <button type="button" className="icon-button" aria-label="刷新" onClick={list.refresh}>
                <Icon name="refresh" className={list.refreshing ? "turning" : ""} />
              </button>
              {props.exportSource !== undefined && (
                <Export source={props.exportSource} title={title} unit={unit} list={list} columns={seen(columns, settings ?? {})} />
              )}
              <ColumnPicker columns={columns} settings={settings ?? {}} onChange={setSettings} density={density} onDensity={setDensity} />
            </div>
          </div>
        )}
        <div className={list.refreshing ? "rows refreshing" : "rows"} aria-busy={list.loading || list.refreshing}>
          {list.loading ? (
            <Skeleton rows={Math.min(list.pageSize, 10)} />
          ) : narrow && list.rows.length > 0 ? (
            <CardRows
              label={title}
              rows={list.rows}
              columns={seen(columns, settings ?? {})}
              rowKey={rowKey}
              onOpen={onOpen}
              ticks={ticking}
            />
          ) : narrow || list.error ? (
            blank
          ) : (
            <DataTable
              label={title}
              rows={list.rows}
              columns={columns}
              rowKey={rowKey}
              density={density}
              settings={settings ?? {}}
              onWidth={onWidth}
              sort={list.address.sort}
              onSort={list.setSort}
              {...(onOpen && { onOpen })}
              openKey={list.openId}
              {...(ticking && { ticks: ticking })}
              blank={blank}
            />
          )}
        </div>
        {(list.rows.length > 0 || list.address.page > 1) && <Pager list={list as unknown as List} unit={unit} />}
      </div>
      {props.children}
    </section>
  );
}

/** Why there is nothing: a failure, no right to see, no match, or nothing yet; each says what to do next. */
function Blank({
  list,
  empty,
}: {
  list: Pick<List, "error" | "refresh" | "filters" | "reset">;
  empty?: { text: string; action?: ReactNode };
}): ReactNode {
  if (list.error?.status === 403) return <Empty drawing="seal" text="没有权限查看这些数据，请联系管理员开通" />;
  if (list.error) return <Failure error={list.error} retry={list.refresh} />;
  if (Object.keys(list.filters).length > 0)
    return <Empty drawing="search" text="没有符合筛选条件的数据" action={<Button onClick={list.reset}>清除筛选</Button>} />;
  return <Empty drawing="ledger" text={empty?.text ?? "还没有数据"} action={empty?.action} />;
}

/** Grey lines where rows will stand; drawn at once. */
export function Skeleton({ rows }: { rows: number }): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label="正在加载">
      {Array.from({ length: rows }, (_row, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** J and K reach the rows from anywhere on the page where nothing else has the focus; `/` goes to the first filter. */
function useListKeys(screen: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const at = event.target;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        !(at instanceof Element) ||
        at.closest("input,textarea,select,tr[data-row],[role=dialog],dialog,:popover-open")
      )
        return;
      const target = event.key === "/" ? "input[type=search]" : event.key === "j" || event.key === "k" ? "tr[tabindex='0']" : undefined;
      const found = target && screen.current?.querySelector<HTMLElement>(target);
      if (!found) return;
      event.preventDefault();
      found.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [screen]);
}
