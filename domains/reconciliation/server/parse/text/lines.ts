import { BillError } from "../bill-error.ts";

/** Far more than any row of a bill. */
const LONGEST_LINE = 16_384;
/** Enough to see the heading, by which UTF-8 and GBK are told apart. */
const SAMPLE_BYTES = 4_096;

/** Text lines of a bill, a bunch for each piece that comes, without BOM, CR and LF. UTF-8, or GBK where it is none. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let sample: Buffer[] = [];
  let sampled = 0;
  let rest = "";
  const cut = (text: string): string[] => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new BillError("有一行过长，不是账单");
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  };
  for await (const chunk of source) {
    if (decoder) {
      yield cut(decoder.decode(chunk, { stream: true }));
      continue;
    }
    sample.push(chunk);
    sampled += chunk.length;
    if (sampled < SAMPLE_BYTES) continue;
    const head = Buffer.concat(sample);
    sample = [];
    decoder = decoderFor(head);
    yield cut(decoder.decode(head, { stream: true }));
  }
  const head = Buffer.concat(sample);
  decoder ??= decoderFor(head);
  const last = cut(`${decoder.decode(head)}\n`);
  yield rest === "" ? last : [...last, rest];
}

function decoderFor(head: Buffer): InstanceType<typeof TextDecoder> {
  // What a spreadsheet or a picture begins with is told from a bill here, not row by row.
  if (head.subarray(0, 1_024).includes(0)) throw new BillError("这不是账单文件，请上传通道提供的原文件");
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return new TextDecoder("utf-8");
  } catch {
    return new TextDecoder("gb18030");
  }
}
