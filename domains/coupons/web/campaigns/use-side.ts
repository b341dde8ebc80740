import { useLocation } from "react-router";

/** Whose campaigns a screen is about: the provider's own stand under /ticket, a merchant's under /merchantTicket. */
export interface Side {
  readonly provider: boolean;
  /** What the addresses of its screens begin with. */
  readonly base: "/ticket" | "/merchantTicket";
}
export function useSide(): Side {
  const provider = useLocation().pathname.startsWith("/ticket/");
  return { provider, base: provider ? "/ticket" : "/merchantTicket" };
}
/** Where a campaign is told for whoever asks: a provider reads it under its own address, whosever it is. */
export const campaignPath = (level: string | undefined, id: string): string =>
  `${level === "SP" ? "/ticket" : "/merchantTicket"}/details?id=${id}`;
