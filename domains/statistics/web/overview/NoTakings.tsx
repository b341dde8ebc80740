import type { ReactNode } from "react";
import { Link } from "react-router";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { may, useUser } from "@zhangfang/web/api/user.ts";

/** What somebody does first, by what the account may open. */
const STEPS: readonly (readonly [path: `/${string}`, text: string, act: string])[] = [
  ["/merchants/merchants", "还没有收款。先开通商户，商户的第一笔收款会出现在这里。", "去开通商户"],
  ["/store/store", "还没有收款。把门店的收款码放到柜台，第一笔收款会出现在这里。", "去门店取收款码"],
];

/** A new merchant's home: nothing has been paid yet, and what to do about it. */
export function NoTakings(): ReactNode {
  const person = useUser();
  const step = STEPS.find(([path]) => may(person, [path]));
  return (
    <div className="sheet">
      <Empty
        text={step?.[1] ?? "还没有收款。用收款码或收银机收到第一笔款后，这里就有数据。"}
        action={
          step && (
            <Link className="btn btn-primary" to={step[0]}>
              {step[2]}
            </Link>
          )
        }
      />
    </div>
  );
}
