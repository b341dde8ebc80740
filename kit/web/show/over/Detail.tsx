import type { UseQueryResult } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useContext } from "react";
import { Link, useLocation } from "react-router";
import type { Endpoint, InputOf, ItemPath, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { Act } from "../../act/Act.tsx";
import type { ApiError } from "../../api/api-errors.ts";
import { call } from "../../api/api.ts";
import { copyPairs, pairsOf } from "../../copy-rows.ts";
import { Icon } from "../icons.tsx";
import { Drawer, InDrawer } from "./Drawer.tsx";
import { Empty, Failure } from "../Empty.tsx";
import { Money } from "../figures/Money.tsx";
import { Skeleton } from "../Skeleton.tsx";
import { levelWords, shownWords } from "../../level-names.ts";

/**
 * The answer of a read as the page's own data; asked again while `until` says it is not finished (every 3 seconds), and every `live_ms`.
 * @param input undefined asks nothing, for a closed drawer
 * @example const order = useDetail(getPayOrder, list.openId && { id: list.openId }, { until: (row) => row.status !== 1 });
 */
export function useDetail<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | undefined | "",
  options: { until?: (answer: OutputOf<E>) => boolean; live_ms?: number } = {},
): UseQueryResult<OutputOf<E>> {
  const { until, live_ms = false } = options;
  return useQuery({
    queryKey: [endpoint.path, "detail", input],
    enabled: Boolean(input),
    // What is opened is read anew: the row beside it may know more than the last look did.
    staleTime: 0,
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { signal }),
    refetchInterval: (query) => (until && query.state.data !== undefined && !until(query.state.data) ? 3000 : live_ms),
  });
}

/** The amount that a detail is about, with its status. */
export interface Hero {
  readonly label: string;
  readonly amount?: Cents;
  readonly value?: ReactNode;
  readonly status?: ReactNode;
}
type Pair = readonly [label: string, value: ReactNode];

/** The big figure at the top of a detail. @example <HeroLine label="实收金额" amount={order.paid} status={<StatusTag … />} /> */
export function HeroLine({ label, amount, value, status }: Hero): ReactNode {
  return (
    <div className="hero">
      <span className="hero-label">{levelWords(label)}</span>
      <span className="hero-value">{amount === undefined ? value : <Money cents={amount} symbol />}</span>
      {status}
    </div>
  );
}

/**
 * A titled group of fields, label and value; empty values are drawn as —.
 * @example <Group title="支付信息" pairs={[["支付单号", <Copy text={order.no} />], ["通道", channel.label(order.channel)]]} />
 */
export function Group({ title, pairs = [], children }: { title: string; pairs?: readonly Pair[]; children?: ReactNode }): ReactNode {
  const Heading = useContext(InDrawer) ? "h3" : "h2";
  return (
    <section className="group">
      <Heading>{levelWords(title)}</Heading>
      {pairs.length > 0 && (
        <dl className="pairs">
          {pairs.map(([label, value]) => (
            <div key={label}>
              <dt>{levelWords(label)}</dt>
              <dd>{value === undefined || value === null || value === "" ? <span className="blank">—</span> : value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </section>
  );
}

interface Read<T> {
  readonly of: Pick<UseQueryResult<T>, "data" | "error" | "refetch" | "fetchStatus">;
  readonly children: (data: T) => ReactNode;
  /** The way on where there is nothing to show. */
  readonly back?: ReactNode;
}
/**
 * What is made of an answer once it is there; until then a skeleton, or why it can't be read.
 * @example <Loaded of={useDetail(listOutputs, { hardwareId })}>{({ items }) => <OutputRows items={items} />}</Loaded>
 */
export function Loaded<T>({ of, children, back }: Read<T>): ReactNode {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failure error={of.error as ApiError} retry={() => void of.refetch()} more={back} />;
  // Nothing was asked for: a page of one thing whose address names none.
  if (of.fetchStatus === "idle") return <Empty text="没有指明要看哪一项，请从列表中打开" action={back} />;
  return <Skeleton rows={6} />;
}

/**
 * A row's details over the list, at an address of its own (`&id=`).
 * @example {list.openId && <DetailDrawer title="订单详情" of={order} onClose={list.close}>{(order) => <>…</>}</DetailDrawer>}
 */
export function DetailDrawer<T>({
  title,
  onClose,
  extra,
  footer,
  ...read
}: Read<T> & { title: ReactNode; onClose: () => void; extra?: ReactNode; footer?: ReactNode }): ReactNode {
  return (
    <Drawer
      title={title}
      onClose={onClose}
      width={880}
      extra={
        <>
          {extra}
          {read.of.data !== undefined && <CopyPairs />}
          <Apart />
        </>
      }
      footer={footer}
    >
      <Loaded {...read} />
    </Drawer>
  );
}

/** What stands in the drawer, label and value, as a chat or a sheet takes it. */
function CopyPairs(): ReactNode {
  const label = "复制全部内容";
  const copy = (event: MouseEvent<HTMLButtonElement>): void => {
    const drawer = event.currentTarget.closest(".drawer");
    if (drawer) void copyPairs(pairsOf(drawer));
  };
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={copy}>
      <Icon name="copy" />
    </button>
  );
}

/** The way to the same details in another tab of the browser, where they have an address of their own. */
function Apart(): ReactNode {
  const { pathname, search } = useLocation();
  if (!new URLSearchParams(search).has("id")) return null;
  const label = "在新标签页打开";
  return (
    <a className="icon-button" href={`#${pathname}${search}`} target="_blank" rel="noopener" aria-label={label} title={label}>
      <Icon name="apart" />
    </a>
  );
}

/**
 * What stands in a form's place until the object that it is about is there, or says why it cannot be read.
 * @example return order.data ? <ShipForm order={order.data} /> : <WaitingDrawer title="发货" of={order} onClose={onClose} />;
 */
export function WaitingDrawer({
  title,
  of,
  width = 560,
  onClose,
}: Omit<Read<unknown>, "children"> & { title: string; width?: 560 | 880; onClose: () => void }): ReactNode {
  return (
    <Drawer title={title} width={width} onClose={onClose}>
      <Loaded of={of}>{() => null}</Loaded>
    </Drawer>
  );
}

/**
 * A page about one object.
 * @param list its list, told where there is nothing to show to whoever may open that
 * @example <DetailScreen title="会员详情" list={["/member/member", "微信会员"]} of={member} actions={…}>{(member) => …}</DetailScreen>
 */
export function DetailScreen<T>({
  title,
  actions,
  list,
  ...read
}: Omit<Read<T>, "back"> & { title: ReactNode; actions?: ReactNode; list?: readonly [path: ItemPath, name: string] }): ReactNode {
  return (
    <section className="detail-screen">
      <header className="screen-head">
        <h1>{shownWords(title)}</h1>
        <div className="screen-acts">{actions}</div>
      </header>
      <div className="sheet">
        <Loaded {...read} back={list && <Back to={list[0]} name={list[1]} />} />
      </div>
    </section>
  );
}
function Back({ to, name }: { to: ItemPath; name: string }): ReactNode {
  return (
    <Act of={[to]}>
      <Link className="btn" to={to}>
        返回{name}
      </Link>
    </Act>
  );
}
