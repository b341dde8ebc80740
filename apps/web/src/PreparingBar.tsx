import { type ReactNode, useEffect, useState } from "react";
import { getBrand } from "@zhangfang/domains/accounts/contract/self.ts";
import { call } from "@zhangfang/web/api/api.ts";

const AGAIN_MS = 2_000;

/**
 * Says how far the demo world of a new service is, and when it is whole.
 * @param percent as the page was told when it was opened; null where nothing is being made, and then nothing is asked
 * @param children what may be done once it is whole
 */
export function PreparingBar({
  percent,
  className = "bar",
  children,
}: {
  percent: number | null;
  className?: string;
  children?: ReactNode;
}): ReactNode {
  const [now, setNow] = useState(percent);
  const making = now !== null;
  useEffect(() => {
    if (!making) return undefined;
    const look = (): void =>
      void call(getBrand, {}, { quiet: true }).then(
        ({ preparing }) => setNow(preparing),
        () => {},
      );
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, [making]);
  if (percent === null) return null;
  return (
    <div className={className} role="status">
      {making ? `演示数据准备中 ${now}%，现在就可以登录，查看已有的部分。` : <>演示数据已就绪。{children}</>}
    </div>
  );
}
