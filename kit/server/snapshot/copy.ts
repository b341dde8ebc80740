import { once } from "node:events";
import { PassThrough, type Duplex, type Readable } from "node:stream";
import type pg from "pg";

/** The part of pg's connection that speaks COPY; pg's types leave it out. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const BLOCK_BYTES = 65_536;

/**
 * Runs a `copy … to stdout` and hands on what the server sends, as fast as it is read.
 * @returns the stream; it fails when the query does
 */
export function copyOut(client: pg.Client, sql: string): Readable {
  const out = new PassThrough({ highWaterMark: 4 * BLOCK_BYTES });
  let block: Buffer[] = [];
  let size_bytes = 0;
  const flush = () => {
    const hasRoom = out.write(Buffer.concat(block));
    block = [];
    size_bytes = 0;
    return hasRoom;
  };
  submit(client, {
    start: (connection) => {
      connection.query(sql);
      out.on("drain", () => connection.stream.resume());
    },
    handleCopyData({ chunk }, connection) {
      // pg uses its buffer again; a row that waits has to be a copy.
      block.push(Buffer.from(chunk));
      size_bytes += chunk.length;
      if (size_bytes >= BLOCK_BYTES && !flush()) connection.stream.pause();
    },
    handleError: (error) => out.destroy(error),
    handleReadyForQuery(connection) {
      flush();
      out.end();
      // A stream that ends says no more that it has room.
      connection.stream.resume();
    },
  });
  return out;
}

/**
 * Runs a `copy … from stdin` with what `source` gives.
 * @returns how many rows the server took
 * @throws what the server says about the data, or what `source` throws; nothing is then in the table
 */
export async function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let rows = 0;
  let refused: Error | undefined;
  const pump = async (connection: CopyConnection) => {
    for await (const chunk of source) {
      if (refused) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
    }
    connection.endCopyFrom();
  };
  submit(client, {
    start: (connection) => connection.query(sql),
    handleCopyInResponse(connection) {
      pump(connection).catch((error: unknown) => {
        reject(error as Error);
        connection.sendCopyFail("the source failed");
      });
    },
    handleError(error) {
      refused = error;
      reject(error);
    },
    handleCommandComplete: ({ text }) => void (rows = Number(text.replace("COPY ", ""))),
    handleReadyForQuery: () => resolve(),
  });
  await promise;
  return rows;
}

interface Handlers {
  start(connection: CopyConnection): void;
  handleCopyData?(message: { readonly chunk: Buffer }, connection: CopyConnection): void;
  handleCopyInResponse?(connection: CopyConnection): void;
  handleCommandComplete?(message: { readonly text: string }): void;
  handleError(error: Error): void;
  handleReadyForQuery(connection: CopyConnection): void;
}

function submit(client: pg.Client, { start, ...handlers }: Handlers): void {
  client.query({
    handleCommandComplete: () => {},
    ...handlers,
    submit: (connection) => start(connection as unknown as CopyConnection),
  } as pg.Submittable);
}
