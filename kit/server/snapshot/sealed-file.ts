import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { StartError } from "../start-error.ts";
import { byteReader } from "./byte-reader.ts";

/**
 * A file as a line and then frames: length, content, seal. With a key the content is encrypted by AES-256-GCM; without
 * one the seal is a SHA-256. Either way it covers the first line, the number of the frame and whether it is the last, so
 * a changed byte, a missing end or frames in another order are found.
 */
interface Seal {
  readonly size_bytes: number;
  close(content: Buffer, about: Buffer, number: number): Buffer;
  open(content: Buffer, seal: Buffer, about: Buffer, number: number): Buffer | undefined;
}

const FRAME_BYTES = 65_536;
const LAST = 0x8000_0000;
const MAGIC = "zhangfang-backup 1";

/** What goes into the file: the pieces, framed and sealed. */
export async function* sealed(pieces: AsyncIterable<Buffer>, key: string | undefined): AsyncGenerator<Buffer> {
  const salt = key ? randomBytes(16).toString("hex") : undefined;
  const line = `${MAGIC} ${salt ? `aes-256-gcm ${salt}` : "plain"}\n`;
  const seal = salt && key ? encrypting(key, salt) : hashing();
  yield Buffer.from(line);
  let number = 0;
  let waiting: Buffer | undefined;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; from += FRAME_BYTES) {
      if (waiting) yield frame(seal, line, number++, waiting, false);
      waiting = piece.subarray(from, from + FRAME_BYTES);
    }
  }
  yield frame(seal, line, number, waiting ?? Buffer.alloc(0), true);
}

/**
 * What was put into the file at `path`, frame by frame as each is proved whole.
 * @throws StartError when it is no backup, is encrypted with another key or with none though one is given, or is damaged
 */
export async function* unsealed(path: string, key: string | undefined): AsyncGenerator<Buffer> {
  const reader = byteReader(createReadStream(path, { highWaterMark: 4 * FRAME_BYTES }) as AsyncIterable<Buffer>);
  const line = await reader.line(200);
  const [, way, salt] = /^zhangfang-backup 1 (?:(plain)|aes-256-gcm ([0-9a-f]{32}))\n$/.exec(line ?? "") ?? [];
  if (!line || (!way && !salt)) throw new StartError(`${path} 不是账房的备份文件，或开头已损坏`);
  // Anybody can make one without a key: whoever has a key takes nobody else's.
  if (way && key) throw new StartError(`${path} 没有加密，谁都可能改过它；确实要用它，请先去掉 ZHANGFANG_BACKUP_KEY`);
  if (salt && !key) throw new StartError("这个备份是加密的，请设置 ZHANGFANG_BACKUP_KEY");
  const seal = salt && key ? encrypting(key, salt) : hashing();
  for (let number = 0, last = false; !last; number++) {
    const head = (await reader.exact(4))?.readUInt32BE() ?? 0;
    last = head >= LAST;
    const size_bytes = last ? head - LAST : head;
    const content = size_bytes <= FRAME_BYTES ? await reader.exact(size_bytes) : undefined;
    const closing = await reader.exact(seal.size_bytes);
    const opened = content && closing && seal.open(content, closing, about(line, number, last), number);
    if (!opened) throw new StartError(damaged(path, salt !== undefined && number === 0));
    yield opened;
  }
  if (await reader.exact(1)) throw new StartError(damaged(path, false));
}

function damaged(path: string, maybeKey: boolean): string {
  return maybeKey ? `打不开 ${path}：ZHANGFANG_BACKUP_KEY 不对，或文件已损坏` : `${path} 已损坏，没有恢复任何内容`;
}

function frame(seal: Seal, line: string, number: number, content: Buffer, last: boolean): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length + (last ? LAST : 0));
  return Buffer.concat([head, seal.close(content, about(line, number, last), number)]);
}

function about(line: string, number: number, last: boolean): Buffer {
  return Buffer.from(`${line}${number} ${last ? "last" : "more"}`);
}

function hashing(): Seal {
  const hash = (content: Buffer, said: Buffer) => createHash("sha256").update(said).update("\n").update(content).digest();
  return {
    size_bytes: 32,
    close: (content, said) => Buffer.concat([content, hash(content, said)]),
    open: (content, seal, said) => (timingSafeEqual(hash(content, said), seal) ? content : undefined),
  };
}

function encrypting(passphrase: string, salt: string): Seal {
  if (passphrase.length < 16) throw new StartError("ZHANGFANG_BACKUP_KEY 至少 16 个字符，可用 openssl rand -hex 32 生成");
  const key = scryptSync(passphrase, Buffer.from(salt, "hex"), 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  // The key is this file's alone, by its salt, so the frame's number is a nonce that never comes again.
  const nonce = (number: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(number, 8);
    return bytes;
  };
  return {
    size_bytes: 16,
    close(content, said, number) {
      const cipher = createCipheriv("aes-256-gcm", key, nonce(number)).setAAD(said);
      return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
    },
    open(content, seal, said, number) {
      const decipher = createDecipheriv("aes-256-gcm", key, nonce(number)).setAAD(said).setAuthTag(seal);
      try {
        return Buffer.concat([decipher.update(content), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
