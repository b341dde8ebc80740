import { type ReactNode, useEffect, useState } from "react";

const POLL_MS = 30_000;

/** Tells the platform's own people that the service can't do its work, why, and what to do; it goes when all is well again. */
export function UnreadyBar({ every_ms = POLL_MS }: { every_ms?: number }): ReactNode {
  const [why, setWhy] = useState("");
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      // No answer at all is told by whatever is asked for next.
      const answer = (await fetch("/readyz", { cache: "no-store" })
        .then((response) => response.json())
        .catch(() => undefined)) as { reasons?: { message: string }[] } | undefined;
      if (answer) setWhy((answer.reasons ?? []).map(({ message }) => message).join("；"));
    };
    void look();
    const timer = setInterval(() => void look(), every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return why === "" ? null : (
    <div className="bar bar-warn" role="alert">
      服务暂时不能正常工作：{why}。
    </div>
  );
}
