import { type ReactNode, useId } from "react";

/** One card of a statistics page: a title, what stands beside it, and its content. */
export function Panel({
  title,
  note,
  extra,
  className = "",
  children,
}: {
  title: string;
  note?: ReactNode;
  extra?: ReactNode;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className={`sheet panel ${className}`} aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {note && <span className="panel-note">{note}</span>}
        {extra}
      </header>
      {children}
    </section>
  );
}
