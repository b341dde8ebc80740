import { useLocation, useNavigate } from "react-router";

/** What a page without rows keeps in its address. */
export interface Address {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Changes some of it; undefined takes a value away, so that its default counts again. */
  set(values: Readonly<Record<string, string | undefined>>): void;
}

/** The query of this page's address, to read and to change; a link or a reload shows the same page. */
export function useAddress(): Address {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  return {
    values: Object.fromEntries(query),
    set: (values) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) query.delete(name);
        else query.set(name, value);
      }
      const search = query.toString();
      void navigate({ pathname: location.pathname, search: search === "" ? "" : `?${search}` });
    },
  };
}
