import type { ReactNode } from "react";

/** Tells a phrase of the sentence where its field stands. */
export const At = ({ field, children }: { field: string; children: ReactNode }): ReactNode => <div data-field={field}>{children}</div>;
