import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { type getReconDay, isAsked, isTakeaway, platformBill } from "../../contract/index.ts";

/** The two bills of a platform's day: which is whole, what is still waited for, and how the rest comes. */
export function PlatformBills({ found: { day, taken } }: { found: OutputOf<typeof getReconDay> }): ReactNode {
  const { platform, source } = day;
  if (!platform) return null;
  const takeaway = isTakeaway(source);
  return (
    <Group title="账单">
      <ul className="recon-files">
        {takeaway ? (
          <Bill name="外卖订单" whole={platform.hasVerify} waits="还有订单没有取到" />
        ) : (
          <>
            <Bill
              name={platformBill.label("VERIFY")}
              whole={platform.hasVerify}
              waits={isAsked(source) ? "平台的核销记录还没有取完" : "还没有这天的核销"}
            >
              {platform.externalCount > 0 && `其中平台端核销 ${platform.externalCount} 张`}
            </Bill>
            <Bill name={platformBill.label("LEDGER")} whole={platform.hasLedger} waits="等平台结算">
              {platform.pendingCount > 0 &&
                `待结算 ${platform.pendingCount} 张，预计收入 ${yuan(platform.pendingCents)} 元；满 8 天还没有结算的列为差异`}
            </Bill>
          </>
        )}
      </ul>
      {taken && (
        <p className="note recon-under">
          最近取账单 <Time at={taken.at} />
          {taken.why && `，没有取完：${taken.why}`}
        </p>
      )}
      <Way source={source} />
    </Group>
  );
}
function Bill({ name, whole, waits, children }: { name: string; whole: boolean; waits: string; children?: ReactNode }): ReactNode {
  return (
    <li>
      <span className="recon-file">
        <Tag tone={whole ? "good" : "warn"}>{whole ? "完整" : "不全"}</Tag>
        <span>{name}</span>
        <span className="note num">{children || (whole ? "" : waits)}</span>
      </span>
    </li>
  );
}
/** Where what is missing is brought from. */
function Way({ source }: { source: string }): ReactNode {
  if (isAsked(source)) return null;
  if (isTakeaway(source))
    return (
      <Act of={["/dataCentre/takeaway/account"]}>
        <p className="note recon-under">
          没有取到的订单在<Link to="/dataCentre/takeaway?panel=unfetched:new">外卖汇总</Link>里再取；有的平台可以导入表格。
        </p>
      </Act>
    );
  return (
    <Act of={["/dataCentre/groupBuy/import"]}>
      <p className="note recon-under">
        {source === "ks" ? "快手的结算" : "这个平台"}没有接口：
        <Link to="/dataCentre/groupBuy?panel=import:new">{source === "ks" ? "去导入结算表格" : "去导入核销和结算表格"}</Link>
        ，导入后十分钟内自动重新对账。
      </p>
    </Act>
  );
}
