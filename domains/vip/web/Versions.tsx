import type { ReactNode } from "react";
import type { Instant } from "@zhangfang/contract/fields.ts";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";

/** Who changed rules when; the first one holds. */
export function Versions({ of }: { of: readonly { readonly version: number; readonly by: string; readonly at: Instant }[] }): ReactNode {
  if (of.length === 0) return null;
  return (
    <Group
      title="修改记录"
      pairs={of.slice(0, 10).map(({ version, by, at }) => [
        `第 ${version} 版`,
        <>
          <Time at={at} /> · {by}
        </>,
      ])}
    />
  );
}
