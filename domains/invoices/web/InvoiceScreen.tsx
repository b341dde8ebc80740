import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { invoiceView } from "../contract/index.ts";
import { ApplicationList } from "./ApplicationList.tsx";
import { SubjectList } from "./config/SubjectList.tsx";
import { InvoiceList } from "./InvoiceList.tsx";
import { RedList } from "./RedList.tsx";

type View = CodeOf<typeof invoiceView>;
const isView = (text: string | null): text is View => text !== null && (invoiceView.values as readonly string[]).includes(text);

/** 商户开票配置: who issues, what is applied for, what was issued, what was taken back. */
export function InvoiceScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const given = query.get("view");
  const view = isView(given) ? given : "config";
  const choose = (next: View): void => setQuery({ view: next });
  const views = <Segments label="开票" set={invoiceView} value={view} onChange={choose} />;
  if (view === "applications") return <ApplicationList views={views} />;
  if (view === "invoices") return <InvoiceList views={views} />;
  return view === "reds" ? <RedList views={views} /> : <SubjectList views={views} />;
}
