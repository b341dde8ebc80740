import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  type AttemptView,
  getDesk,
  goodsKind,
  listDeskStores,
  type OwnUse,
  type prepareVoucher,
  voucherPlatform,
} from "../../contract/index.ts";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { orderOf } from "../platform-words.ts";
import { CancelDrawer, FoundDrawer, ReverseTimesDrawer } from "./DeskForms.tsx";
import { OpenAttempts, TodayAttempts } from "./DeskLists.tsx";
import { Fact, FoundCoupon, FoundTimes } from "./FoundOwn.tsx";
import { ScanButton } from "./ScanButton.tsx";
import { usableOf, useScan } from "./use-scan.ts";
import { useNow } from "./use-now.ts";
import "../platforms.css";

type Stores = OutputOf<typeof listDeskStores>;
type Prepared = OutputOf<typeof prepareVoucher>;

/** 核销台: one field for any platform's code, an own coupon's, a member's and a times card's. */
export function Desk({ views }: { views: ReactNode }): ReactNode {
  const stores = useDetail(listDeskStores, {});
  return (
    <section className="desk">
      <header className="screen-head">
        <h1>核销台</h1>
        <div className="screen-acts">{views}</div>
      </header>
      <Loaded of={stores}>{(all) => <AtStore stores={all} />}</Loaded>
    </section>
  );
}
function AtStore({ stores }: { stores: Stores }): ReactNode {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const asked = query.get("store");
  const store = stores.find(({ id }) => id === asked) ?? stores.find(({ connected }) => connected.length > 0) ?? stores[0];
  if (!store) return <Empty text="还没有门店，先开一家" />;
  return (
    <>
      {stores.length > 1 && (
        <div className="desk-store">
          <label htmlFor="desk-store">门店</label>
          <PickOne
            id="desk-store"
            value={store.id}
            onChange={(id) => void navigate(`?store=${id ?? ""}`)}
            options={stores.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      <AtDesk key={store.id} store={store} />
    </>
  );
}

function AtDesk({ store }: { store: Stores[number] }): ReactNode {
  const desk = useDetail(getDesk, { storeId: store.id }, { live_ms: 3_000 });
  const now_ms = useNow(desk.data?.now, desk.dataUpdatedAt);
  const [cancelling, setCancelling] = useState<AttemptView>();
  const [finding, setFinding] = useState<AttemptView>();
  const [reversing, setReversing] = useState<OwnUse>();
  const last = desk.data?.today.find(({ status, cancelUntil }) => status === 1 && cancelUntil !== null);
  return (
    <div className="desk-body">
      <div className="desk-main">
        {desk.data && (
          <p className="note">
            {store.name} · 今天核销 {desk.data.verified} 张，撤销 {desk.data.reversed} 张
          </p>
        )}
        <Scan store={store} onUndo={() => last && setCancelling(last)} />
        {desk.data && <OpenAttempts rows={desk.data.open} now_ms={now_ms} onFound={setFinding} />}
      </div>
      <Loaded of={desk}>
        {({ today, own }) => (
          <TodayAttempts rows={today} own={own} now_ms={now_ms} onCancel={setCancelling} onFound={setFinding} onReverse={setReversing} />
        )}
      </Loaded>
      {cancelling && <CancelDrawer of={cancelling} onClose={() => setCancelling(undefined)} />}
      {finding && <FoundDrawer of={finding} onClose={() => setFinding(undefined)} />}
      {reversing && <ReverseTimesDrawer of={reversing} onClose={() => setReversing(undefined)} />}
    </div>
  );
}

/** The field, and what stands under it: what a voucher is, or what became of it. */
function Scan({ store, onUndo }: { store: Stores[number]; onUndo: () => void }): ReactNode {
  const scan = useScan(store.id);
  const { text, found, done, ownDone, busy, count, setCount } = scan;
  // On a phone scan and act stand in the dock, where the thumb is.
  const narrow = useNarrow();
  const camera = <ScanButton busy={busy} onCode={scan.take} />;
  const act = (event: FormEvent): void => {
    event.preventDefault();
    scan.go();
  };
  return (
    <form onSubmit={act} noValidate>
      <ScanField of={scan} onUndo={onUndo} camera={!narrow && camera} />
      {store.connected.length === 0 && (
        <p className="notice notice-warn">
          这家店还没连团购平台。先在平台商品里填账户、同步门店，再到 <Link to="/store/other">其他门店</Link> 映射。
        </p>
      )}
      {found?.what === "voucher" && <Found of={found.of} store={store.name} count={count} setCount={setCount} />}
      {found?.what === "coupon" && <FoundCoupon of={found.of} />}
      {found?.what === "times" && <FoundTimes of={found.of} scan={scan} />}
      {!found && done.length > 0 && <Done rows={done} />}
      {!found && ownDone && (
        <section className="desk-card" aria-label="结果" role="status">
          <div className="desk-done">
            <strong className="is-good">已核销，可以交付</strong>
            <span>{ownDone.title}</span>
            <p className="note">{ownDone.note}</p>
          </div>
        </section>
      )}
      <div className="desk-dock">
        {(!found || usableOf(found, scan.cardNo)) && (
          <Button tone="primary" type="submit" busy={busy} className="desk-go">
            {!found ? "查券" : found.what === "coupon" ? "核销这张券" : `核销 ${count} ${found.what === "times" ? "次" : "张"}`}
          </Button>
        )}
        {narrow && camera}
        {(found || text !== "") && <Button onClick={scan.clear}>清空</Button>}
        {found?.what === "voucher" && <span className="desk-said">{found.of.undoSaid}</span>}
        {found?.what === "times" && scan.cardNo && <span className="desk-said">核错了，24 小时内可撤销</span>}
        {found?.what === "coupon" && usableOf(found, undefined) && <span className="desk-said">核销后不能撤销</span>}
      </div>
    </form>
  );
}
/** Always ready for the scanner: it types, and ends with Enter. */
function ScanField({ of, onUndo, camera }: { of: ReturnType<typeof useScan>; onUndo: () => void; camera: ReactNode }): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  // What stands in it was typed here or read by the camera, whose drawer gave the focus back to its button before.
  useEffect(() => {
    if (!of.busy || of.text !== "") field.current?.focus();
  }, [of.busy, of.text]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") of.clear();
    if (event.key.toLowerCase() === "u" && of.text === "" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      onUndo();
    }
  };
  return (
    <>
      <div className="desk-field">
        <label className="sr-only" htmlFor="desk-scan">
          券码
        </label>
        <input
          ref={field}
          id="desk-scan"
          value={of.text}
          placeholder="扫码，或输入券码"
          autoComplete="off"
          enterKeyHint="go"
          aria-invalid={of.fault !== undefined}
          aria-describedby="desk-fault"
          onKeyDown={press}
          onChange={(event) => of.type(event.target.value)}
        />
        <span className="desk-keys" aria-hidden="true">
          <kbd>Enter</kbd> {of.found ? "核销" : "查券"} <kbd>Esc</kbd> 清空
        </span>
        {camera}
      </div>
      <div id="desk-fault" role="alert">
        {of.fault !== undefined && <p className="notice notice-bad">{of.fault}</p>}
      </div>
    </>
  );
}
function Found(given: { of: Prepared; store: string; count: number; setCount: (count: number) => void }): ReactNode {
  const { of, store, count, setCount } = given;
  return (
    <section className="desk-card" aria-label="这张券">
      <p className="desk-tags">
        <Tag>
          {voucherPlatform.label(of.platform)}
          {goodsKind.label(of.kind)}
        </Tag>
        <Tag tone="good">可核销</Tag>
      </p>
      <h2 className="desk-title">{of.title}</h2>
      <dl className="desk-facts">
        <Fact name="用户实付" value={`¥${yuan(of.payCents)}`} />
        <Fact name="到期" value={of.endsAt ? shanghaiTime(of.endsAt).slice(0, 16) : "平台没有说"} />
        <Fact name="还能用" value={`${of.times > 1 ? of.left : of.most} ${of.times > 1 ? "次" : "张"}`} />
        <Fact name="门店" value={store} />
        <Fact name="要上的菜" value={of.serve || "还没有填，在平台商品里填"} />
        <Fact name="预计收入" value={`¥${of.incomeSaid}`} />
      </dl>
      {of.most > 1 && (
        <p className="desk-count">
          <Button small disabled={count <= 1} onClick={() => setCount(count - 1)} aria-label="少核一张">
            −
          </Button>
          <b>{count} 张</b>
          <Button small disabled={count >= of.most} onClick={() => setCount(count + 1)} aria-label="多核一张">
            ＋
          </Button>
        </p>
      )}
    </section>
  );
}
/** Green comes with the platform's yes alone. */
function Done({ rows }: { rows: readonly AttemptView[] }): ReactNode {
  return (
    <section className="desk-card" aria-label="结果" role="status">
      {rows.map((row) => {
        const said =
          row.status === 1
            ? { order: "已核销，可以交付", tone: "is-good" }
            : row.status === 2
              ? { order: "没有核销，请勿交付", tone: "is-bad" }
              : undefined;
        const open = orderOf(row);
        return (
          <div key={row.id} className="desk-done">
            <strong className={said?.tone ?? (open.bad ? "is-bad" : "is-warn")}>{said?.order ?? open.order}</strong>
            <span>{row.title}</span>
            {row.status !== 1 && <p className="note">{said ? row.message : open.why}</p>}
          </div>
        );
      })}
    </section>
  );
}
