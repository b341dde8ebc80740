import type { ReactNode } from "react";

/** A page of another site inside ours. It gets no token and can't reach ours: its origin stays foreign, on the server's list. */
export function ExternalPage({ title, address }: { title: string; address: string }): ReactNode {
  return (
    <section className="external">
      <h1 className="sr-only">{title}</h1>
      <iframe title={title} src={address} sandbox="allow-scripts allow-forms" referrerPolicy="no-referrer" />
    </section>
  );
}
