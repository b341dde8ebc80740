import { clientOf, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import type { BillSource, BillTypeCode } from "../../contract/index.ts";
import type { FlowRow, TradeRow } from "../parse/bill.ts";
import { type BillRow, isFlow, readBill } from "../parse/read-bill.ts";
import { type BillRef, pieceKey, type Run, SCOPE, step, stepAlone } from "./run.ts";

/** So many rows of a bill that does not count any more go at once. */
const DROP_AT_ONCE = 50_000;

// Columns as arrays and one statement for each batch: the second fence forbids COPY into its tables.
const INSERT_TRADE = `insert into bill_rows (service_provider_id, merchant_id, file_id, line, kind, at, order_no, refund_no, channel_no, channel_refund_no, state,
    amount_cents, settled_cents, fee_mills)
  select $1::uuid, $2::uuid, $3::uuid, * from unnest($4::int[], $5::smallint[], $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::bigint[], $13::bigint[], $14::bigint[])`;
const INSERT_FLOW = `insert into bill_flows (service_provider_id, merchant_id, file_id, line, at, flow_no, business_no, voucher_no, name, business_type, amount_cents,
    balance_cents, note)
  select $1::uuid, $2::uuid, $3::uuid, * from unnest($4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[],
    $12::bigint[], $13::text[])`;
const shanghai = (row: { at: string }): string => `${row.at}+08`;
const TRADE = (rows: readonly TradeRow[]): unknown[] => [
  rows.map((row) => row.line),
  rows.map((row) => row.kind),
  rows.map(shanghai),
  rows.map((row) => row.orderNo),
  rows.map((row) => row.refundNo),
  rows.map((row) => row.channelNo),
  rows.map((row) => row.channelRefundNo),
  rows.map((row) => row.state),
  rows.map((row) => row.amount_cents),
  rows.map((row) => row.settled_cents),
  rows.map((row) => row.fee_mills),
];
const FLOW = (rows: readonly FlowRow[]): unknown[] => [
  rows.map((row) => row.line),
  rows.map(shanghai),
  rows.map((row) => row.flowNo),
  rows.map((row) => row.businessNo),
  rows.map((row) => row.voucherNo),
  rows.map((row) => row.name),
  rows.map((row) => row.businessType),
  rows.map((row) => row.amount_cents),
  rows.map((row) => row.balance_cents),
  rows.map((row) => row.note),
];

/**
 * Reads the bill's file and keeps its rows, batch by batch, each with the progress in one transaction; what an earlier run
 * left is thrown away first. Rows count when their bill does, so that half a bill is none.
 * @param merchants the channel's numbers that every row has to carry one of
 * @throws BillError for what is no such bill, or does not add up
 * @returns what it is, where it says what the bill that counts says already
 */
export async function loadRows(
  run: Run,
  merchants: readonly string[],
): Promise<{ same: { readonly sha256: string; readonly row_count: number } | null }> {
  const { services, file } = run;
  await dropRows(run.services, file, (tx) => step(run, tx, {}));
  let read_bytes = 0;
  const files = openFiles(services.config);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let place = 0; place < file.piece_count; place++) {
      const { stream } = await files.read(pieceKey(file.id, place));
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        read_bytes += chunk.length;
        yield chunk;
      }
    }
  }
  const bill = readBill(pieces(), { source: file.source as BillSource, type: file.bill_type as BillTypeCode, day: file.day, merchants });
  let row_count = 0;
  for await (const batch of bill.batches) {
    row_count += batch.length;
    await keep(run, batch, { row_count, done_bytes: read_bytes });
  }
  const { summary, sha256 } = bill.end();
  if (await isKnown(run, sha256)) {
    await dropRows(services, file, (tx) => step(run, tx, {}));
    return { same: { sha256, row_count } };
  }
  await stepAlone(run, {
    status: "parsed",
    summary: JSON.stringify(summary.said) as never,
    sha256,
    row_count,
    done_bytes: file.size_bytes,
  });
  return { same: null };
}

/** The bill that counts has the very same content: there is nothing to take in. */
async function isKnown({ services, file }: Run, sha256: string): Promise<boolean> {
  const found = await withScope(services.pool, SCOPE, (tx) =>
    tx
      .selectFrom("bill_files")
      .select("id")
      .where("service_provider_id", "=", file.service_provider_id)
      .where("merchant_id", "=", file.merchant_id)
      .where("source", "=", file.source)
      .where("day", "=", file.day)
      .where("bill_type", "=", file.bill_type)
      .where("status", "=", "matched")
      .where("sha256", "=", sha256)
      .where("id", "<>", file.id)
      .executeTakeFirst(),
  );
  return found !== undefined;
}

async function keep(run: Run, batch: readonly BillRow[], progress: { row_count: number; done_bytes: number }): Promise<void> {
  const { file } = run;
  const whose = [file.service_provider_id, file.merchant_id, file.id];
  const flow = isFlow(file.bill_type as BillTypeCode);
  const columns = flow ? FLOW(batch as readonly FlowRow[]) : TRADE(batch as readonly TradeRow[]);
  await withScope(
    run.services.pool,
    SCOPE,
    async (tx) => {
      await step(run, tx, progress);
      await clientOf(tx).query({
        name: flow ? "bill_flow" : "bill_row",
        text: flow ? INSERT_FLOW : INSERT_TRADE,
        values: [...whose, ...columns],
      });
    },
    { deadline_ms: 60_000 },
  );
}

/**
 * Throws away the rows of a bill that does not count, some at a time.
 * @param still looks first, in the same transaction, whether the bill is still whoever drops them: a run that was overtaken would take the other's
 */
export async function dropRows(
  services: Run["services"],
  { service_provider_id, id }: BillRef,
  still: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  // writes: bill_rows, bill_flows
  for (const table of ["bill_rows", "bill_flows"]) {
    for (;;) {
      const gone = await withScope(
        services.pool,
        SCOPE,
        async (tx) => {
          await still(tx);
          return clientOf(tx).query(
            `delete from ${table} where service_provider_id = $1 and file_id = $2
              and line = any(array(select line from ${table} where service_provider_id = $1 and file_id = $2 order by line limit ${DROP_AT_ONCE}))`,
            [service_provider_id, id],
          );
        },
        { deadline_ms: 60_000 },
      );
      if ((gone.rowCount ?? 0) < DROP_AT_ONCE) break;
    }
  }
}
