import { type ReactNode, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { weekdayName } from "@zhangfang/contract/time.ts";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { useKey } from "@zhangfang/web/window/use-key.ts";
import { getStoreDay } from "../../contract/index.ts";
import { isEmpty, storeDayStatus } from "../../contract/store-day-words.ts";
import { DayPicker } from "./DayPicker.tsx";
import { Changes, Explained, StoreDayClosing } from "./StoreDayClosing.tsx";
import { Ledger, MadeOf } from "./StoreDayLedger.tsx";
import { StoreDayPaper } from "./StoreDayPaper.tsx";
import { ReopenStoreDayDrawer } from "./ReopenStoreDayDrawer.tsx";
import { Closings, LaterChanges } from "./StoreDayLater.tsx";
import type { StoreDay } from "./store-day-links.ts";
import { storeDayPath, type Where } from "./store-day-links.ts";
import { StoreMonth } from "./StoreMonth.tsx";

const PARTS = labelled({ day: "日结", changes: "关账后变动", closings: "历次关账" });
type Part = CodeOf<typeof PARTS>;
function usePart(): [Part, (part: Part) => void] {
  const asked = new URLSearchParams(useLocation().search).get("part");
  return useState<Part>(PARTS.values.find((one) => one === asked) ?? "day");
}
/** The day as it is, what changed after it was closed, and each closing of it. */
function Parts({ now, data, onChange }: { now: Part; data: StoreDay; onChange: (part: Part) => void }): ReactNode {
  const set = labelled({
    day: "日结",
    changes: `关账后变动${data.changes.length > 0 ? ` ${data.changes.length}` : ""}`,
    closings: `历次关账${data.closings.length > 0 ? ` ${data.closings.length}` : ""}`,
  });
  return (
    <div className="storeday-parts">
      <Segments<Part> label="这一天的" set={set as unknown as typeof PARTS} value={now} onChange={onChange} />
    </div>
  );
}

/** One store's day: the ledger, what its total is made of, and on the right what hinders closing it. */
export function StoreDayPage(where: Where): ReactNode {
  const { storeId, day } = where;
  const found = useDetail(getStoreDay, { storeId, day });
  const navigate = useNavigate();
  const reopen = usePanel("reopen");
  const [month, setMonth] = useState(day.slice(0, 7));
  const [part, setPart] = usePart();
  const print = useKey("p");
  const data = found.data;
  useScreenTitle(data && `门店日 · ${data.storeName}`);
  const go = (to: string): void => void navigate(storeDayPath({ storeId, day: to }));
  return (
    <section className="storeday">
      <header className="screen-head">
        <h1>门店日</h1>
        <p className="storeday-whose">
          {data && (
            <>
              <span>{data.storeName}</span>
              <span className="num">
                {day} {weekdayName(day)}
              </span>
              <StatusTag of={storeDayStatus} code={data.status} />
            </>
          )}
        </p>
        <div className="screen-acts">
          <Link to={`/reconciliation/bill?view=stores&day=${day}`}>当天各门店</Link>
          <DayPicker day={day} onChange={go} />
          <Button
            ref={print}
            aria-keyshortcuts="P"
            disabled={!data}
            onClick={() => data && printSheet(<StoreDayPaper data={data} printedAt={Date.now()} />)}
          >
            打印
          </Button>
        </div>
      </header>
      <Loaded of={found}>
        {(shown) => (
          <div className="storeday-page">
            <div className="sheet storeday-ledger">
              <Parts now={part} data={shown} onChange={setPart} />
              {part === "changes" ? (
                <LaterChanges data={shown} />
              ) : part === "closings" ? (
                <Closings data={shown} />
              ) : isEmpty(shown.figures) ? (
                <Empty drawing="ledger" text="今天没开门？这天没有收款，也没有平台的单，可以直接关账" />
              ) : (
                <>
                  <Ledger data={shown} />
                  <MadeOf data={shown} />
                </>
              )}
            </div>
            <aside className="storeday-side">
              <StoreDayClosing data={shown} onReopen={() => reopen.open(day)} />
              {part === "day" && <Changes data={shown} />}
              <Explained data={shown} />
            </aside>
            {reopen.id && <ReopenStoreDayDrawer data={shown} onClose={reopen.close} />}
          </div>
        )}
      </Loaded>
      <StoreMonth storeId={storeId} month={month} onMonth={setMonth} onOpen={go} />
    </section>
  );
}
