import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { ApiError as Failed } from "@zhangfang/web/api/api-errors.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { openCashierCodes, openPayCodes, renewCashierCode, renewPayCode } from "../contract.ts";
import { type Poster, posterSvg } from "./poster.ts";
import { printPosters, savePosters } from "./save-posters.ts";
import { SheetActs } from "./SheetActs.tsx";
import "./pay-codes.css";

/** 收款码 of one store, or of several: the posters to look at and to take away. */
export function PayCodeDrawer({ storeIds, onClose }: { storeIds: readonly string[]; onClose: () => void }): ReactNode {
  return (
    <Codes
      of={useDetail(openPayCodes, { storeIds: [...storeIds] })}
      title={(one) => (storeIds.length === 1 ? `收款码 ${one?.storeName ?? ""}` : `${storeIds.length} 家门店的收款码`)}
      onClose={onClose}
    />
  );
}
/** The own codes of cashiers: what is paid there carries its cashier. */
export function CashierCodeDrawer({ cashierIds, onClose }: { cashierIds: readonly string[]; onClose: () => void }): ReactNode {
  return (
    <Codes
      of={useDetail(openCashierCodes, { cashierIds: [...cashierIds] })}
      title={(one) => (cashierIds.length === 1 ? `收款码 ${one?.cashierName ?? ""}` : `${cashierIds.length} 位收银员的收款码`)}
      onClose={onClose}
    />
  );
}

function Codes({
  of: codes,
  title,
  onClose,
}: {
  of: UseQueryResult<{ items: Poster[] }>;
  title: (one: Poster | undefined) => string;
  onClose: () => void;
}): ReactNode {
  const posters = codes.data?.items ?? [];
  const [one] = posters;
  return (
    <Drawer title={title(one)} onClose={onClose} footer={one && <Save posters={posters} />}>
      {codes.error ? (
        <Failure error={codes.error as Failed} retry={() => void codes.refetch()} />
      ) : !codes.data ? (
        <Skeleton rows={8} />
      ) : !one ? (
        <Empty drawing="search" text="没有可以查看的收款码" />
      ) : posters.length === 1 ? (
        <One poster={one} />
      ) : (
        <Several posters={posters} />
      )}
    </Drawer>
  );
}

/** What the printed poster will look like. */
function Preview({ poster }: { poster: Poster }): ReactNode {
  const url = useMemo(() => URL.createObjectURL(new Blob([posterSvg(poster)], { type: "image/svg+xml" })), [poster]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img className="pay-code-poster" src={url} alt={`${poster.cashierName ?? poster.storeName}的收款码海报`} />;
}

function One({ poster }: { poster: Poster }): ReactNode {
  return (
    <>
      <Preview poster={poster} />
      <Group
        title="收款码"
        pairs={[
          ["门店", poster.storeName],
          ["商户", poster.merchantName],
          ...(poster.cashierName === null ? [] : [["收银员", `${poster.cashierName}（${poster.cashierCode}）`] as const]),
          ["地址", <Copy text={poster.url}>{poster.url}</Copy>],
          ["生成时间", <Time at={poster.createdAt} />],
        ]}
      />
      <Renew poster={poster} />
    </>
  );
}

function Several({ posters }: { posters: readonly Poster[] }): ReactNode {
  return (
    <ul className="pay-code-names">
      {posters.map(({ id, storeName, merchantName, cashierName, cashierCode }) => (
        <li key={id}>
          {cashierName === null ? storeName : `${cashierName}（${cashierCode}）`}{" "}
          <small>{cashierName === null ? merchantName : storeName}</small>
        </li>
      ))}
    </ul>
  );
}

const Save = ({ posters }: { posters: readonly Poster[] }): ReactNode => (
  <SheetActs save={(format) => savePosters(posters, format)} print={() => printPosters(posters)} />
);

/** Another code voids every printed poster of this one, which is said before. */
function Renew({ poster }: { poster: Poster }): ReactNode {
  const [busy, run] = useRun([openPayCodes, openCashierCodes]);
  const renew = async (): Promise<void> => {
    const whose = poster.cashierName === null ? poster.storeName : `${poster.storeName} ${poster.cashierName}`;
    const text = `更换「${whose}」的收款码后：已打印的海报全部失效，顾客扫旧码不能付款，须重新打印张贴。已经付的款不受影响。`;
    if (!(await confirm(text, { ok: "更换", danger: true }))) return;
    await run(async () => {
      if (poster.cashierId === null) await call(renewPayCode, { id: poster.id, storeId: poster.storeId });
      else await call(renewCashierCode, { id: poster.id, cashierId: poster.cashierId });
      success("已更换，请重新打印海报");
    });
  };
  return (
    <Act of={poster.cashierId === null ? renewPayCode : renewCashierCode}>
      <Button tone="danger" busy={busy} onClick={() => void renew()}>
        更换收款码
      </Button>
    </Act>
  );
}
