import { sql } from "kysely";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { applyInvoiceRoute } from "./apply/apply-invoice.ts";
import { getInvoiceFileRoute, getInvoiceLinkRoute, getInvoicePageRoute, invoicing } from "./apply/invoice-page.ts";
import {
  dropTaxRuleRoute,
  getInvoiceSettingsRoute,
  listTaxRulesRoute,
  setInvoiceSettingsRoute,
  setTaxRuleRoute,
} from "./config/settings.ts";
import {
  addTaxSubjectRoute,
  getTaxSubjectRoute,
  listTaxSubjectsRoute,
  refreshSessionRoute,
  setSubjectStoresRoute,
  testTaxSubjectRoute,
  updateTaxSubjectRoute,
} from "./config/subjects.ts";
import { deliverInvoices, holdBackDeliveries } from "./deliver/deliver-invoices.ts";
import { resendInvoiceRoute } from "./deliver/resend-invoice.ts";
import { applicationExport, invoiceExport } from "./export-invoices.ts";
import { fetchInvoiceFiles } from "./issue/fetch-files.ts";
import { hearInvoicesRoute } from "./issue/hear-notice.ts";
import { issueInvoices } from "./issue/issue-invoices.ts";
import { askSessions } from "./issue/sessions.ts";
import {
  cancelApplicationRoute,
  decideApplicationRoute,
  getApplicationRoute,
  listApplicationsRoute,
  revealBuyerRoute,
  summariseApplicationsRoute,
} from "./read/read-applications.ts";
import {
  getInvoiceRoute,
  listInvoicesRoute,
  getRedRoute,
  listRedsRoute,
  retryInvoiceRoute,
  startRedRoute,
  steerRedRoute,
  summariseInvoicesRoute,
  summariseRedsRoute,
} from "./read/read-invoices.ts";
import { fetchFilesAgainRoute, takeIssuedRoute, takeRedRoute } from "./read/put-right.ts";
import { traceInvoices } from "./read/trace-invoices.ts";
import { chaseReds } from "./red/chase-reds.ts";
import { hearRefund, settleInvoiceOrders } from "./red/hear-refunds.ts";
import { holdRefund, sayRefund } from "./red/hold-refund.ts";
import { tellDueReds } from "./red/month-end.ts";
import { verifyInvoices } from "./verify-invoices.ts";
import { invoiceTodos } from "./todos.ts";

export const invoices = domain({
  keptFiles: sql`select f.id::text, f.service_provider_id from invoice_files f`,
  routes: [
    getInvoiceSettingsRoute,
    setInvoiceSettingsRoute,
    listTaxRulesRoute,
    setTaxRuleRoute,
    dropTaxRuleRoute,
    listTaxSubjectsRoute,
    getTaxSubjectRoute,
    addTaxSubjectRoute,
    updateTaxSubjectRoute,
    setSubjectStoresRoute,
    testTaxSubjectRoute,
    refreshSessionRoute,
    listApplicationsRoute,
    summariseApplicationsRoute,
    getApplicationRoute,
    decideApplicationRoute,
    cancelApplicationRoute,
    revealBuyerRoute,
    listInvoicesRoute,
    summariseInvoicesRoute,
    getInvoiceRoute,
    retryInvoiceRoute,
    takeIssuedRoute,
    fetchFilesAgainRoute,
    resendInvoiceRoute,
    listRedsRoute,
    getRedRoute,
    summariseRedsRoute,
    startRedRoute,
    steerRedRoute,
    takeRedRoute,
    getInvoicePageRoute,
    getInvoiceLinkRoute,
    applyInvoiceRoute,
    getInvoiceFileRoute,
    hearInvoicesRoute,
  ],
  jobs: [issueInvoices, chaseReds, settleInvoiceOrders, tellDueReds, askSessions, fetchInvoiceFiles, deliverInvoices],
  holdBack: holdBackDeliveries,
  exports: [invoiceExport, applicationExport],
  invoicing,
  trace: traceInvoices,
  refundHold: holdRefund,
  refundSaid: sayRefund,
  hearers: { invoices: hearRefund },
  verify: { name: "invoices", run: (tx) => verifyInvoices(tx) },
  todos: invoiceTodos,
});
