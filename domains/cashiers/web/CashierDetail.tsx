import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { openCashierCodes } from "../../pay-codes/contract.ts";
import {
  bindCashier,
  cashierShift,
  cashierState,
  getCashier,
  getCashiers,
  moveCashier,
  setCashierState,
  summariseCashiers,
  updateCashier,
} from "../contract.ts";
import { limitWords } from "./limit-words.tsx";

type Cashier = OutputOf<typeof getCashier>;
type Open = (id: string) => void;

/** One cashier over the list. */
export function CashierDetail({
  list,
  onEdit,
  onPlace,
  onMove,
  onCode,
}: {
  list: List<typeof getCashiers>;
  onEdit: Open;
  onPlace: Open;
  onMove: Open;
  onCode: Open;
}): ReactNode {
  const cashier = useDetail(getCashier, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = cashier;
  return (
    <DetailDrawer
      title="收银员详情"
      of={cashier}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={data && <Acts cashier={data} onEdit={onEdit} onPlace={onPlace} onMove={onMove} onCode={onCode} />}
    >
      {(row) => <Facts cashier={row} />}
    </DetailDrawer>
  );
}

function Facts({ cashier: c }: { cashier: Cashier }): ReactNode {
  return (
    <>
      <HeroLine label={`编号 ${c.code}`} value={c.name} status={<StatusTag of={cashierState} code={c.state} />} />
      <Group
        title="在岗"
        pairs={[
          ["门店", c.storeName],
          ["班次", cashierShift.label(c.shift)],
          [
            "设备",
            c.deviceId === null ? "未绑定" : <Link to={`/device/list?keyword=${c.deviceSn}`}>{`${c.deviceName} · ${c.deviceSn}`}</Link>,
          ],
          ["新建时间", <Time at={c.createdAt} />],
        ]}
      />
      <Group
        title="限额"
        pairs={[
          ["单笔收款上限", limitWords(c.payMostCents)],
          ["单笔手工优惠上限", limitWords(c.offMostCents)],
          ["单笔退款上限", limitWords(c.refundMostCents)],
          ["当日退款限额", limitWords(c.refundDayCents)],
        ]}
      />
      <Group
        title="今日"
        pairs={[
          ["收款", <Money cents={c.today.paidCents} symbol />],
          ["收款笔数", `${c.today.payCount} 笔`],
          ["退款", <Money cents={c.today.refundCents} symbol />],
          ["退款笔数", `${c.today.refundCount} 笔`],
        ]}
      />
    </>
  );
}

type Opens = Readonly<Record<"onEdit" | "onPlace" | "onMove" | "onCode", Open>>;
function Acts({ cashier: c, onEdit, onPlace, onMove, onCode }: { cashier: Cashier } & Opens): ReactNode {
  const [busy, run] = useRun([getCashiers, getCashier, summariseCashiers]);
  const called = `「${c.name}」（${c.code}）`;
  const ask = async (text: string, ok: string, go: () => Promise<unknown>, danger = false): Promise<void> => {
    if (!(await confirm(text, { ok, danger }))) return;
    await run(async () => {
      await go();
      success(`已${ok}`);
    });
  };
  const off = c.state === "active";
  const flip = (): Promise<unknown> => call(setCashierState, { id: c.id, state: off ? "disabled" : "active" });
  const flipText = off
    ? `停用${called}？停用后不能收款和退款，会从设备 ${c.deviceSn ?? "（未绑定）"} 上退出，收款码暂停；可以再启用。`
    : `启用${called}？收款码恢复使用，设备需重新绑定。`;
  return (
    <>
      <Act of={setCashierState}>
        <Button tone={off ? "danger" : "plain"} busy={busy} onClick={() => void ask(flipText, off ? "停用" : "启用", flip, off)}>
          {off ? "停用" : "启用"}
        </Button>
      </Act>
      <Act of={bindCashier}>
        {c.deviceId !== null && (
          <Button
            busy={busy}
            onClick={() =>
              void ask(`让${called}退出设备 ${c.deviceSn}？`, "解除绑定", () => call(bindCashier, { id: c.id, deviceId: null }))
            }
          >
            解除绑定
          </Button>
        )}
        {off && <Button onClick={() => onPlace(c.id)}>{c.deviceId === null ? "绑定设备" : "换设备"}</Button>}
      </Act>
      {off && (
        <Act of={moveCashier}>
          <Button onClick={() => onMove(c.id)}>调店</Button>
        </Act>
      )}
      <Act of={openCashierCodes}>
        <Button onClick={() => onCode(c.id)}>收款码</Button>
      </Act>
      <Act of={updateCashier}>
        <Button tone="primary" onClick={() => onEdit(c.id)}>
          修改
        </Button>
      </Act>
    </>
  );
}
