import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError as Failed } from "@zhangfang/web/api/api-errors.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { getCustomerAddress } from "../contract/index.ts";
import "./customer.css";

/** The address of the own merchant's page, to copy and to scan, and the same for each store. */
export function PageDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const address = useDetail(getCustomerAddress, {});
  return (
    <Drawer title="会员页" onClose={onClose}>
      {address.error ? (
        <Failure error={address.error as Failed} retry={() => void address.refetch()} />
      ) : address.data ? (
        <Address of={address.data} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Drawer>
  );
}
function Address({ of: { merchantName, url, stores } }: { of: OutputOf<typeof getCustomerAddress> }): ReactNode {
  if (url === null) return <Empty drawing="search" text="会员页是商户的：请用商户账号打开" />;
  return (
    <>
      <p>顾客用手机打开，凭手机号入会；看会员码和余额，自己充值、转余额、申请退卡。</p>
      <p className="customer-code">
        <QrCode text={url} label={`${merchantName}会员页二维码`} size={220} />
      </p>
      <Group title="链接" pairs={[[merchantName, <Copy text={url} />]]} />
      {stores.length > 1 && (
        <Group title="按门店：扫谁的就在谁那里入会" pairs={stores.map((store) => [store.name, <Copy text={store.url} />])} />
      )}
    </>
  );
}
