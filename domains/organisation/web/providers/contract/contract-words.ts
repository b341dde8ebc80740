import { WARN_DAYS } from "../../../contract/index.ts";

interface Term {
  readonly contractState: string;
  readonly contractUntil: string | null;
  readonly daysLeft: number | null;
}
/** How long a contract still runs, where that is worth a word. */
export function daysLeftText({ contractState, daysLeft }: Term): string | undefined {
  if (contractState !== "signed" || daysLeft === null || daysLeft > WARN_DAYS[0]) return undefined;
  if (daysLeft < 0) return "今日处理到期";
  return daysLeft === 0 ? "今天到期" : `剩 ${daysLeft} 天`;
}
