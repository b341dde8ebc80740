import { sql, type Selectable } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OutputCause, PrinterVendor, ReceiptTemplate } from "../../contract/index.ts";
import {
  announcementOf,
  receiptOf,
  testReceipt,
  TEST_ANNOUNCEMENT,
  type ReceiptFacts,
  type VoucherFacts,
  voucherReceipt,
} from "../receipts/receipt.ts";
import { vendorsOf } from "../vendors/open-vendor.ts";
import { refused, type Outcome } from "../vendors/vendor.ts";
import { judge, STALE_MS, type Verdict } from "./output-rules.ts";
import { readFacts, readVoucher } from "./read-facts.ts";

const SCOPE = platformScope("send to a printer or speaker");
const ref = z.object({ service_provider_id: id, id });
type Ref = z.output<typeof ref>;
type Output = Selectable<DB["hardware_outputs"]>;
type Device = Selectable<DB["store_hardware"]> & { readonly store_name: string };
interface Sending {
  readonly output: Output;
  readonly device: Device;
  readonly facts: ReceiptFacts | undefined;
  readonly voucher: VoucherFacts | undefined;
  readonly begun_ms: number;
}

/** Has one device print or say one thing; tried again by its own rules, not by the queue's. */
export const sendOutput = job({
  name: "send-output",
  data: ref,
  concurrency: 4,
  lease_s: 60,
  retryLimit: 3,
  run: (services, given) => send(services, given).then(() => {}),
});

/**
 * Sends it once. The row says 发送中 before the maker is asked: a run that was cut off there is not repeated, unless the maker
 * drops what it has heard already.
 */
export async function send(services: Services, given: Ref): Promise<Verdict | undefined> {
  const sending = await withScope(services.pool, SCOPE, (tx) => begin(tx, services, given));
  if (!sending) return undefined;
  const { outcome, repeatable_ms } = await reach(services, sending);
  const age_ms = services.clock.now_ms() - sending.begun_ms;
  const verdict = judge(outcome, { tries: sending.output.tries, age_ms, repeatable_ms });
  await withScope(services.pool, SCOPE, async (tx) => {
    await settle(tx, given, verdict, outcome.kind === "ok" ? outcome.value : undefined);
    if (verdict.after_s !== undefined) await services.jobs.enqueue(tx, sendOutput, given, { after_s: verdict.after_s });
  });
  return verdict;
}

async function begin(tx: Transaction, services: Services, given: Ref): Promise<Sending | undefined> {
  const output = await tx
    .selectFrom("hardware_outputs")
    .selectAll()
    .where("service_provider_id", "=", given.service_provider_id)
    .where("id", "=", given.id)
    .forUpdate()
    .executeTakeFirst();
  if (!output || output.status > 1) return undefined;
  const now_ms = services.clock.now_ms();
  const device = await deviceOf(tx, output);
  const begun_ms = Date.parse(output.sent_at ?? new Date(now_ms).toISOString());
  const over = await overOf(services, output, device, begun_ms);
  if (over) await settle(tx, given, over);
  if (over || !device) return undefined;
  const facts = output.order_id === null ? undefined : await readFacts(tx, services, { ...output, order_id: output.order_id });
  const voucher = output.attempt_id === null ? undefined : await readVoucher(tx, { ...output, attempt_id: output.attempt_id });
  if (output.attempt_id !== null && !voucher) {
    const why = output.cause === "reprint" ? "这次核销已撤销或正在撤销" : "核销记录读不到";
    await settle(tx, given, { status: 3, message: `${why}，没有打印` });
    return undefined;
  }
  const tries = output.tries + 1;
  await tx
    .updateTable("hardware_outputs")
    .set({ status: 1, tries, sent_at: output.sent_at ?? new Date(now_ms).toISOString() })
    .where("service_provider_id", "=", given.service_provider_id)
    .where("id", "=", given.id)
    .execute();
  return { output: { ...output, tries }, device, facts, voucher, begun_ms };
}

/** Why nothing is sent any more, if so. */
async function overOf(services: Services, output: Output, device: Device | undefined, begun_ms: number): Promise<Verdict | undefined> {
  const now_ms = services.clock.now_ms();
  if (output.status === 1) {
    // Cut off in the middle of a call: whether it may be repeated is the same question as after silence.
    const repeatable_ms = device ? await repeatableOf(services, device) : 0;
    return now_ms - begun_ms >= repeatable_ms ? { status: 4, message: "发送时中断，请查看是否已打印" } : undefined;
  }
  if (!device) return { status: 3, message: "设备已解绑" };
  const stale = device.kind === "speaker" && now_ms - Date.parse(output.created_at) > STALE_MS;
  return stale ? { status: 3, message: "已过时，不再播报" } : undefined;
}

async function deviceOf(tx: Transaction, output: Output): Promise<Device | undefined> {
  const found = await sql<Device>`
    select h.*, s.short_name as store_name from store_hardware h
    join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id
    where h.service_provider_id = ${output.service_provider_id} and h.id = ${output.hardware_id} and h.state = 'bound'`.execute(tx);
  return found.rows[0];
}

async function repeatableOf(services: Services, device: Device): Promise<number> {
  const vendors = vendorsOf(services);
  const opened = device.kind === "printer" ? vendors.printer(device.vendor as PrinterVendor) : vendors.speaker();
  // Without an account there nothing can be sent again.
  return opened.then(
    ({ repeatable_ms }) => repeatable_ms,
    () => 0,
  );
}

/** Asks the maker. Without an account there nothing is sent. */
async function reach(services: Services, sending: Sending): Promise<{ outcome: Outcome<string>; repeatable_ms: number }> {
  const { output, device, facts, voucher } = sending;
  const job = { sn: device.sn, number: output.id.replaceAll("-", "") };
  try {
    if (device.kind === "speaker") {
      const speaker = await vendorsOf(services).speaker();
      const text = facts ? said(facts) : TEST_ANNOUNCEMENT;
      const outcome = await speaker.speak({ ...job, text, protocol: device.protocol ?? 1, volume: device.volume ?? 80 });
      return { outcome, repeatable_ms: speaker.repeatable_ms };
    }
    const printer = await vendorsOf(services).printer(device.vendor as PrinterVendor);
    const receipt = facts
      ? receiptOf(facts, device.template as ReceiptTemplate, output.cause as OutputCause)
      : voucher
        ? voucherReceipt(voucher, output.cause as OutputCause)
        : testReceipt(device.store_name, device.name, output.created_at);
    // 58 mm hold 32 half-width cells, 80 mm 48.
    const columns = device.paper_mm === 80 ? 48 : 32;
    const copies = output.cause === "test" ? 1 : (device.copies ?? 1);
    return { outcome: await printer.print({ ...job, receipt, columns, copies }), repeatable_ms: printer.repeatable_ms };
  } catch (error) {
    if (error instanceof Refusal) return { outcome: refused(error.message, false), repeatable_ms: 0 };
    throw error;
  }
}
const said = ({ tool, paid_cents, refund }: ReceiptFacts): string =>
  announcementOf({ tool, amount_cents: refund?.amount_cents ?? paid_cents, cause: refund ? "refund" : "payment" });

async function settle(tx: Transaction, given: Ref, { status, message }: Verdict, vendor_no?: string): Promise<void> {
  await tx
    .updateTable("hardware_outputs")
    .set({ status, message, ...(vendor_no !== undefined && { vendor_no }) })
    .where("service_provider_id", "=", given.service_provider_id)
    .where("id", "=", given.id)
    .execute();
}
