import { useLocation, useNavigate } from "react-router";

/** A drawer whose being open stands in the address, so that it survives a reload and a new login. */
export interface Panel {
  /** The object it is about; `new` for one that is not there yet; undefined while closed. */
  readonly id: string | undefined;
  open(id?: string): void;
  /** Where the screen stands with it open, for another tab of the browser. */
  hrefOf(id: string): string;
  close(): void;
}

/**
 * A form drawer of a screen, in the address as `panel=refund:<id>`. One panel is open at a time, over the detail drawer.
 * @example
 * const refund = usePanel("refund");
 * <Button tone="link" onClick={() => refund.open(row.id)}>退款</Button>
 * {refund.id && <RefundDrawer orderId={refund.id} onClose={refund.close} />}
 */
export function usePanel(name: string): Panel {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const [open, ...rest] = (query.get("panel") ?? "").split(":");
  const go = (value: string | undefined): void => {
    const next = new URLSearchParams(query);
    if (value === undefined) next.delete("panel");
    else next.set("panel", value);
    void navigate({ pathname: location.pathname, search: `?${next.toString()}` });
  };
  return {
    id: open === name ? rest.join(":") || "new" : undefined,
    open: (id = "new") => go(`${name}:${id}`),
    hrefOf: (id) => {
      const next = new URLSearchParams(query);
      next.set("panel", `${name}:${id}`);
      return `#${location.pathname}?${next.toString()}`;
    },
    close: () => go(undefined),
  };
}
