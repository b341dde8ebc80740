import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { fetchAgain, fetchOutcome, getTakeawayFigures, giveUpFetch, listUnfetched, takeawayPlatform } from "../contract/index.ts";

type Row = OutputOf<typeof listUnfetched>["rows"][number];

/** 没取到的订单: what platforms told of and did not answer, why, and 再取一次. */
export function UnfetchedDrawer({
  merchantId,
  own,
  onClose,
}: {
  merchantId: string | undefined;
  own: boolean;
  onClose: () => void;
}): ReactNode {
  const open = useQuery({
    queryKey: [listUnfetched.path, merchantId],
    queryFn: ({ signal }) => call(listUnfetched, { ...(merchantId !== undefined && { merchantId }) }, { signal }),
  });
  const [givenUp, setGivenUp] = useState<Row>();
  return (
    <Drawer title="没取到的订单" width={880} onClose={onClose}>
      <p className="note">
        平台通知过、还没拿到内容的订单，不在汇总里。平台不给或没有应答的，一周内会自己再取；改好平台账户后马上再取。实在取不到的，主账号可以写明原因不再取，它就不再挡着关账。
      </p>
      {open.error ? (
        <Failure error={open.error as ApiError} retry={() => void open.refetch()} />
      ) : !open.data ? (
        <Skeleton rows={4} />
      ) : open.data.rows.length === 0 ? (
        <Empty drawing="ledger" text="平台通知过的订单都取到了" />
      ) : (
        <>
          <DataTable label="没取到的订单" rows={open.data.rows} columns={columnsOf(own, setGivenUp)} />
          {open.data.more && <p className="note">这里是最近 {open.data.rows.length} 单</p>}
        </>
      )}
      {givenUp && <GiveUp row={givenUp} onClose={() => setGivenUp(undefined)} />}
    </Drawer>
  );
}

function columnsOf(own: boolean, giveUp: (row: Row) => void) {
  const c = columns<Row>();
  return [
    c.text("platformOrderId", "平台订单号", { width: 176, note: (row) => takeawayPlatform.label(row.platform) }),
    c.text("merchantName", "商户", { width: 128, hidden: own }),
    c.text("why", "原因", (row) => row.why || (row.outcome === null ? "还没问过" : fetchOutcome.label(row.outcome)), { width: 160 }),
    c.number("tries", "问过", { width: 68 }),
    c.time("wantedAt", "平台通知", { width: 168 }),
    c.text("nextAt", "接着", (row) => (row.nextAt === null ? "不再取" : "还会再取"), { width: 88 }),
    c.actions(
      (row) => (
        <>
          <Again row={row} />
          {row.nextAt === null && (
            <Act of={giveUpFetch}>
              <Button tone="link" onClick={() => giveUp(row)}>
                不再取
              </Button>
            </Act>
          )}
        </>
      ),
      { width: 136 },
    ),
  ];
}
function GiveUp({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const name = `${takeawayPlatform.label(row.platform)}订单 ${row.platformOrderId}`;
  const form = useForm(giveUpFetch, {
    initial: { id: row.id },
    done: `${name} 不再取`,
    refreshes: [listUnfetched, getTakeawayFigures],
    onDone: onClose,
    ask: () => ({ text: `不再取${name}？它不会进入外卖汇总，也不再挡着对账日和门店日关账。`, ok: "不再取" }),
  });
  return (
    <FormDrawer form={form} title={`不再取 ${row.platformOrderId}`} submit="不再取" onClose={onClose}>
      <Field of={form.field("reason")} label="原因" help="如：平台上已查不到这一单">
        {(f) => <TextArea {...f} maxLength={100} rows={3} />}
      </Field>
    </FormDrawer>
  );
}
function Again({ row }: { row: Row }): ReactNode {
  const [busy, run] = useRun([listUnfetched, getTakeawayFigures]);
  const again = () =>
    run(async () => {
      await call(fetchAgain, { id: row.id });
      success("马上去取，稍后刷新看看");
    });
  return (
    <Button tone="link" busy={busy} onClick={() => void again()}>
      再取一次
    </Button>
  );
}
