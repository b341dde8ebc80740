import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { reprintVoucher } from "../../../store-hardware/contract/index.ts";
import {
  attemptStatus,
  type AttemptView,
  cancelVoucher,
  getVoucher,
  goodsKind,
  noteVoucherFound,
  voucherPlatform,
  voucherStatus,
} from "../../contract/index.ts";
import { CancelDrawer, FoundDrawer } from "../desk/DeskForms.tsx";
import { useNow } from "../desk/use-now.ts";
import { cancelLeft, left, minute, orderOf } from "../platform-words.ts";
import "../platforms.css";

type Voucher = OutputOf<typeof getVoucher>;
const operation = labelled({ prepare: "查券", verify: "核销", query: "问这张券", cancel: "撤销" });
const outcome = labelled({ ok: "办了", held: "核实中", refused: "没有办", unknown: "没有应答", "": "还没有应答" });

/** 平台券详情: what it is worth to whom, and each try with what was asked of the platform. */
export function VoucherDetail(): ReactNode {
  const [query] = useSearchParams();
  const ks = useLocation().pathname.startsWith("/plat-ks/");
  const id = query.get("id") ?? "";
  const voucher = useDetail(getVoucher, id && { id }, { live_ms: 15_000 });
  const [cancelling, setCancelling] = useState<AttemptView>();
  const [finding, setFinding] = useState<AttemptView>();
  useScreenTitle(voucher.data && `券 · ${voucher.data.title}`);
  return (
    <DetailScreen title="平台券详情" list={[ks ? "/plat-ks/coupon" : "/plat-dy/coupon", "平台券"]} of={voucher}>
      {(row) => (
        <>
          <HeroLine
            label={`${voucherPlatform.label(row.platform)} · ${goodsKind.label(row.kind)}${row.tail && ` · 尾号 ${row.tail}`}`}
            value={row.title}
            status={<StatusTag of={voucherStatus} code={row.status} />}
          />
          <Facts of={row} />
          {row.attempts.map((attempt) => (
            <Attempt key={attempt.id} of={attempt} onCancel={setCancelling} onFound={setFinding} />
          ))}
          {cancelling && <CancelDrawer of={cancelling} onClose={() => setCancelling(undefined)} />}
          {finding && <FoundDrawer of={finding} onClose={() => setFinding(undefined)} />}
        </>
      )}
    </DetailScreen>
  );
}
function Facts({ of: row }: { of: Voucher }): ReactNode {
  const income = row.payCents + row.platformTicketCents - row.expectedFeeCents;
  return (
    <Group
      title="钱"
      pairs={[
        ["用户实付", <Money key="pay" cents={row.payCents} symbol />],
        ["券面值", <Money key="face" cents={row.faceCents} symbol />],
        ["商家补贴", yuan(row.merchantTicketCents)],
        ["平台补贴", yuan(row.platformTicketCents)],
        ["预计佣金", yuan(row.expectedFeeCents)],
        ["预计收入", `¥${yuan(income)}，由${voucherPlatform.label(row.platform)}结算`],
        ["用过", `${row.used} / ${row.times} 次`],
        ["到期", row.endsAt && <Time at={row.endsAt} />],
        ["平台订单号", row.orderNo && <Copy text={row.orderNo} />],
        ["券编号", row.certificateId && <Copy text={row.certificateId} />],
        ["商户", row.merchantName],
      ]}
    />
  );
}
type Try = Voucher["attempts"][number];
function Attempt({
  of,
  onCancel,
  onFound,
}: {
  of: Try;
  onCancel: (of: AttemptView) => void;
  onFound: (of: AttemptView) => void;
}): ReactNode {
  const [mayCancel, mayFind] = [useAct(cancelVoucher), useAct(noteVoucherFound)];
  const now_ms = useNow(undefined, 0);
  const ms = cancelLeft(of, now_ms);
  return (
    <Group
      title={`${minute(of.startedAt)} · ${of.storeName}`}
      pairs={[
        ["结果", <StatusTag key="status" of={attemptStatus} code={of.status} />],
        ["经手人", of.byName],
        ["说明", of.status === 2 ? of.message : of.status === 1 || of.status === 6 ? of.cancelMessage : orderOf(of).why],
        ["核销号", of.verifyId && <Copy text={of.verifyId} />],
        [
          "订单",
          of.order && (
            <Copy key="order" text={of.order.orderNo}>
              <Link to={`/dataCentre/payOrder?id=${of.order.id}`}>{of.order.orderNo}</Link>
            </Copy>
          ),
        ],
        ["核销时间", of.verifiedAt && <Time at={of.verifiedAt} />],
        ["撤销", of.reversedAt && `${minute(of.reversedAt)} · ${of.cancelReason}`],
      ]}
    >
      {of.calls.length > 0 && (
        <ul className="note voucher-calls">
          {of.calls.map((one) => (
            <li key={`${one.at}${one.operation}`}>
              {minute(one.at)} {operation.label(one.operation as "verify")}：{outcome.label(one.outcome as "ok")}
              {one.message && `，${one.message}`}
            </li>
          ))}
        </ul>
      )}
      <p className="voucher-acts">
        {of.status === 1 && ms > 0 && mayCancel && <Button onClick={() => onCancel(of)}>撤销，还剩 {left(ms)}</Button>}
        {of.needsPerson && mayFind && <Button onClick={() => onFound(of)}>{of.found ? "确认核对" : "人工核对"}</Button>}
        {of.status === 1 && <Reprint of={of} />}
      </p>
    </Group>
  );
}
/** 补打核销凭证: once more on every printer of the store, for paper that was lost or never came. */
function Reprint({ of }: { of: Try }): ReactNode {
  const [busy, run] = useRun();
  // Pressed again after a lost answer it is the same request.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID() as string);
  const print = (): Promise<unknown> =>
    run(async () => {
      const { printers } = await call(reprintVoucher, { requestId, attemptId: of.id });
      setRequestId(crypto.randomUUID());
      success(`已发送到 ${printers} 台打印机`);
    });
  return (
    <Act of={reprintVoucher}>
      <Button busy={busy} onClick={() => void print()}>
        补打核销凭证
      </Button>
    </Act>
  );
}
