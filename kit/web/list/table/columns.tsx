import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { ActOf } from "../../act/Act.tsx";
import { Copy } from "../../show/Copy.tsx";
import { Money } from "../../show/figures/Money.tsx";
import { StatusTag } from "../../show/StatusTag.tsx";
import { Time } from "../../show/figures/Time.tsx";
import { levelWords } from "../../level-names.ts";

/** What a column may be told besides its title and its value. */
export interface ColumnOptions<Row> {
  /** Pixels; people may drag it afterwards. */
  readonly width?: number;
  /** The sort that the head toggles: `paidAt` descending then ascending, `-paidAt` descending only. It must stand in the endpoint's sorts. */
  readonly sort?: string;
  /** Not shown until somebody asks for it in 列设置. */
  readonly hidden?: boolean;
  /** Whether it stays where room is short; without it names, money and status stay and others give way. */
  readonly keep?: boolean;
  /** What the figures of the column count, behind an ⓘ in its head. */
  readonly hint?: string;
  /** The amount that a card shows beside its title; without one it is the first amount. */
  readonly main?: boolean;
  /** One more line under the value, in grey. */
  readonly note?: (row: Row) => ReactNode;
}
export interface Column<Row> extends ColumnOptions<Row> {
  readonly key: string;
  readonly title: string;
  readonly kind: "text" | "money" | "number" | "time" | "code" | "link" | "actions";
  readonly render: (row: Row) => ReactNode;
  /** The code has a colour: a status, which a card shows before any other code. */
  readonly toned?: boolean;
  /** What is done in the column; whoever may do none of it has no such column. */
  readonly acts?: readonly ActOf[];
  /** The link of the whole row, where the column is one. */
  readonly open?: (row: Row) => void;
}

/** Fields of the row that hold a value of this kind; money and moments have columns of their own. */
type KeyOf<Row, Value> = { [K in keyof Row]-?: Row[K] extends Value | null | undefined ? K : never }[keyof Row] & string;
type PlainKey<Row, Value> = Exclude<KeyOf<Row, Value>, KeyOf<Row, Cents> | KeyOf<Row, Instant>>;
type Code = string | number;
/** What follows a column's title: where the key is a field of the right kind, a value function may be left out. */
type Told<Row, K, Fits, V> = K extends Fits
  ? [((row: Row) => V | null | undefined) | ColumnOptions<Row>, ColumnOptions<Row>?] | []
  : [(row: Row) => V | null | undefined, ColumnOptions<Row>?];
type Target<Row> = ((row: Row) => void) | { to: (row: Row) => string };

const blank = <span className="blank">—</span>;
const words = (value: ReactNode): ReactNode => (value === null || value === undefined || value === "" ? blank : value);

/**
 * Typed columns of a row: a money column refuses a text field, a code column refuses a foreign set.
 * The key names the column in saved settings and in exports; where it is a field of the row, the value needs no function.
 * @example
 * const c = columns<RowOf<typeof listPayOrders>>();
 * const shown = [
 *   c.link("orderNo", "订单号", (row) => list.open(row.id)),
 *   c.text("storeName", "门店"),
 *   c.money("paid", "实收（元）", { sort: "paid" }),
 *   c.code("status", "状态", orderStatus),
 *   c.time("paidAt", "支付时间", { sort: "paidAt" }),
 *   c.actions((row) => <Act of={refundOrder}>{row.refundable && <Button tone="link" onClick={() => refund(row)}>退款</Button>}</Act>),
 * ];
 */
export function columns<Row>() {
  return {
    /** Words, left-aligned. Any ReactNode may be given by a function. */
    text<K extends string>(key: K, title: string, ...told: Told<Row, K, PlainKey<Row, string | number>, ReactNode>): Column<Row> {
      const [value, options] = split<Row, ReactNode>(key, told);
      return { key, title: levelWords(title), kind: "text", ...options, render: (row) => words(value(row)) };
    },
    /** Cents, right-aligned with two decimals. Write the unit in the title: 实收（元）. */
    money<K extends string>(key: K, title: string, ...told: Told<Row, K, KeyOf<Row, Cents>, Cents>): Column<Row> {
      const [value, options] = split<Row, Cents>(key, told);
      return { key, title: levelWords(title), kind: "money", ...options, render: (row) => <Money cents={value(row)} /> };
    },
    /** A count or a measure, right-aligned with thousands. */
    number<K extends string>(key: K, title: string, ...told: Told<Row, K, PlainKey<Row, number>, number>): Column<Row> {
      const [value, options] = split<Row, number>(key, told);
      return { key, title: levelWords(title), kind: "number", ...options, render: (row) => counted(value(row)) };
    },
    /** A moment, in Shanghai time. */
    time<K extends string>(key: K, title: string, ...told: Told<Row, K, KeyOf<Row, Instant>, Instant>): Column<Row> {
      const [value, options] = split<Row, Instant>(key, told);
      return { key, title: levelWords(title), kind: "time", ...options, render: (row) => <Time at={value(row)} /> };
    },
    /** A member of a labelled set: a tag where the set has tones, words where it has none. */
    code<K extends string, C extends Code>(key: K, title: string, set: Labelled<C>, ...told: Told<Row, K, KeyOf<Row, C>, C>): Column<Row> {
      const [value, options] = split<Row, C>(key, told);
      const toned = Object.values(set.entries).some((entry) => typeof entry !== "string");
      const render = (row: Row): ReactNode => (toned ? <StatusTag of={set} code={value(row)} /> : words(levelWords(set.label(value(row)))));
      return { key, title: levelWords(title), kind: "code", toned, ...options, render };
    },
    /** The number or name that the row is called by. A function opens its drawer; an address opens its page. It carries a copy icon. */
    link<K extends KeyOf<Row, string>>(
      key: K,
      title: string,
      target: Target<Row>,
      options: ColumnOptions<Row> & { copy?: boolean } = {},
    ): Column<Row> {
      const { copy = true, ...rest } = options;
      const render = (row: Row): ReactNode => named(row[key] as string | null | undefined, row, target, copy);
      return { key, title: levelWords(title), kind: "link", ...rest, render, ...(typeof target === "function" && { open: target }) };
    },
    /** The acts of a row: two words at most, more behind 更多. With `of` there is no column for whoever may do none of them. */
    actions(acts: (row: Row) => ReactNode, { of, ...options }: ColumnOptions<Row> & { of?: readonly ActOf[] } = {}): Column<Row> {
      const render = (row: Row): ReactNode => <span className="row-actions">{acts(row)}</span>;
      return { key: "actions", title: "操作", kind: "actions", ...options, render, ...(of && { acts: of }) };
    },
  };
}

function named<Row>(text: string | null | undefined, row: Row, target: Target<Row>, copy: boolean): ReactNode {
  const linked =
    typeof target === "function" ? (
      <button type="button" className="link" onClick={() => target(row)}>
        {text ?? "—"}
      </button>
    ) : (
      <Link to={target.to(row)}>{text ?? "—"}</Link>
    );
  return copy && text ? <Copy text={text}>{linked}</Copy> : linked;
}
function split<Row, V>(key: string, told: readonly unknown[]): [(row: Row) => V | null | undefined, ColumnOptions<Row>] {
  const given = told[0];
  if (typeof given === "function") return [given as (row: Row) => V, (told[1] ?? {}) as ColumnOptions<Row>];
  return [(row) => (row as Record<string, unknown>)[key] as V, (given ?? {}) as ColumnOptions<Row>];
}
function counted(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? blank : <span className="num">{value.toLocaleString("en-US").replace("-", "−")}</span>;
}
