import { useEffect, useState } from "react";

/** The server's clock, by the second. @param now the server's time with the answer; @param read_ms when it was read here */
export function useNow(now: string | undefined, read_ms: number): number {
  const ahead = now === undefined ? 0 : Date.parse(now) - read_ms;
  const [ours, setOurs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setOurs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return ours + ahead;
}
