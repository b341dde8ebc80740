import { BillError } from "../bill-error.ts";

/** Alipay's zip of a million rows is some 30 MB; it is held in memory, because its directory is at its end. */
const MOST_PACKED_BYTES = 64 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const WHOLE = "压缩包不完整或已损坏";

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly packed_bytes: number;
  readonly offset: number;
}

/**
 * Finds the bill in Alipay's zip: its 业务明细, not the summary beside it. Names are in GBK unless the entry says UTF-8
 * (channels.md 6.2); a name is only read and never becomes a path.
 * @returns the entry's bytes, deflated where `packed`
 */
export async function findBill(source: AsyncIterable<Buffer>): Promise<{ data: Buffer; packed: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MOST_PACKED_BYTES) throw new BillError("压缩包超过 64 MB");
    chunks.push(chunk);
  }
  const file = Buffer.concat(chunks);
  const entries = entriesOf(file);
  const bills = entries.filter(({ name }) => /\.(?:csv|txt)$/i.test(name) && !name.includes("汇总"));
  const named = bills.filter(({ name }) => name.includes("明细"));
  const [bill, other] = named.length > 0 ? named : bills;
  if (!bill) throw new BillError("压缩包里没有账单明细文件");
  if (other) throw new BillError("压缩包里有多个账单明细文件，请只上传一天的账单");
  if ((bill.flags & 1) !== 0) throw new BillError("压缩包加了密码，请先解压");
  if (bill.method !== 0 && bill.method !== 8) throw new BillError("压缩包的压缩方式无法识别");
  return { data: dataOf(file, bill), packed: bill.method === 8 };
}

function entriesOf(file: Buffer): Entry[] {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > file.length || file.readUInt32LE(end) !== END) throw new BillError(WHOLE);
  const count = file.readUInt16LE(end + 10);
  if (count > 100) throw new BillError("压缩包里的文件太多，不是账单");
  const entries: Entry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let n = 0; n < count; n++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== ENTRY) throw new BillError(WHOLE);
    const flags = file.readUInt16LE(at + 8);
    const [named, extra, comment] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30), file.readUInt16LE(at + 32)];
    const name = new TextDecoder((flags & 0x800) === 0 ? "gb18030" : "utf-8").decode(file.subarray(at + 46, at + 46 + named));
    entries.push({
      name,
      flags,
      method: file.readUInt16LE(at + 10),
      packed_bytes: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    });
    at += 46 + named + extra + comment;
  }
  return entries;
}
function dataOf(file: Buffer, { offset, packed_bytes }: Entry): Buffer {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL) throw new BillError(WHOLE);
  const from = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (from + packed_bytes > file.length) throw new BillError(WHOLE);
  return file.subarray(from, from + packed_bytes);
}
