import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Loaded } from "@zhangfang/web/show/over/Detail.tsx";
import { getNoteSpread } from "../../contract/index.ts";
import { counted } from "./note-words.ts";

type SpreadOf = OutputOf<typeof getNoteSpread>;
/** How many have how many left, once the audience stands still. */
export function useSpread(given: InputOf<typeof getNoteSpread> | undefined) {
  const input = useSettled(given, 300);
  const spread = useQuery({
    queryKey: [getNoteSpread.path, input],
    enabled: input !== undefined,
    queryFn: ({ signal }) => call(getNoteSpread, input!, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return { ...spread, error: spread.error as ApiError | null };
}
export const reachable = ({ spread }: SpreadOf): number => spread.reduce((sum, { left, people }) => (left > 0 ? sum + people : sum), 0);

/** 每人还能收几条: who has none left is not sent to, and who has one left gets nothing else this month. */
export function Spread({ of, everybody }: { of: ReturnType<typeof useSpread>; everybody: boolean }): ReactNode {
  return (
    <Loaded of={of}>
      {(data) => {
        const most = Math.max(1, ...data.spread.map(({ people }) => people));
        const when = data.per === "month" ? "本月" : "当天";
        return (
          <>
            <div className="mass-spread-head">
              <h2>每人{data.per === "month" ? "这个月" : "这一天"}还能收几条</h2>
              <p className="note">微信规定每人{data.per === "month" ? "每月 4 条" : "每天 1 条"}，按我们的记录算</p>
            </div>
            <table className="mass-spread">
              <thead>
                <tr>
                  <th scope="col">还能收</th>
                  <th scope="col" className="num mass-spread-count">
                    人数
                  </th>
                  <th scope="col">
                    <span className="sr-only">占比</span>
                  </th>
                  <th scope="col">
                    <span className="sr-only">会怎样</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.spread.map(({ left, people }) => (
                  <tr key={left} data-left={Math.min(left, 2)}>
                    <td>{left} 条</td>
                    <td className="num mass-spread-count">{counted(people)}</td>
                    <td className="mass-spread-bar">
                      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={(people / most) * 100} height="6" />
                      </svg>
                    </td>
                    <td>{wordsOf(left, data.per, when)}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <td>会发</td>
                  <td className="num mass-spread-count">{counted(reachable(data))}</td>
                  <td colSpan={2}>{everybody && "公众平台上还有我们没听到的粉丝时，微信也会发给他们"}</td>
                </tr>
              </tfoot>
            </table>
          </>
        );
      }}
    </Loaded>
  );
}
function wordsOf(left: number, per: "month" | "day", when: string): string {
  if (left === 0) return "不发，不占额度";
  return left === 1 && per === "month" ? `发后${when}收不到别的` : "会发";
}
