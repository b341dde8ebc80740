/** Reads lines and exact numbers of bytes from a stream of pieces. */
export interface ByteReader {
  /** The next bytes; undefined when the stream ends before there are as many. */
  exact(size_bytes: number): Promise<Buffer | undefined>;
  /** The next line with its end; undefined when none comes within `most_bytes`. */
  line(most_bytes: number): Promise<string | undefined>;
}

/** A reader over `pieces`; it holds back no more than it was asked for and one piece. */
export function byteReader(pieces: AsyncIterable<Buffer>): ByteReader {
  const source = pieces[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const more = async () => {
    const next = await source.next();
    if (next.done) return false;
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    return true;
  };
  const take = (size_bytes: number) => {
    const taken = held.subarray(0, size_bytes);
    held = held.subarray(size_bytes);
    return taken;
  };
  return {
    async exact(size_bytes) {
      while (held.length < size_bytes) if (!(await more())) return undefined;
      return take(size_bytes);
    },
    async line(most_bytes) {
      for (;;) {
        const end = held.indexOf(10);
        if (end >= 0 && end < most_bytes) return take(end + 1).toString();
        if (held.length >= most_bytes || !(await more())) return undefined;
      }
    },
  };
}
