import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "@zhangfang/server/calls/errors.ts";

const MEMORY_KIB = 19 * 1024;
const PASSES = 2;
const AT_ONCE = 2;
const QUEUE = 20;
/** Verified where there is no such account, so that the answer takes as long. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(32).toString("base64")}`;

/** Hash runs of this process; a run costs 20 to 40 ms of a core, so that two at once and twenty waiting is all there is. */
export const hashGate = { runs: 0, running: 0 };
const waiting: (() => void)[] = [];

/** The argon2id hash of a password, in PHC form. @throws 429 where too many wait */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await run(password, salt, MEMORY_KIB, PASSES);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** Whether the password is the one of the hash; without a hash it takes as long and is false. @throws 429 where too many wait */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/=]+)\$([\w+/=]+)$/.exec(stored ?? NOBODY);
  if (!match) throw new Error("not an argon2id hash");
  const expected = Buffer.from(match[4]!, "base64");
  const given = await run(password, Buffer.from(match[3]!, "base64"), Number(match[1]), Number(match[2]));
  return given.length === expected.length && timingSafeEqual(given, expected) && stored !== undefined;
}

async function run(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  if (hashGate.running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw new Refusal(429, "busy", "登录繁忙，请稍后再试", undefined, { "retry-after": "2" });
    // Whoever leaves hands the place over, so that `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else hashGate.running++;
  try {
    hashGate.runs++;
    return await new Promise<Buffer>((resolve, reject) =>
      argon2("argon2id", { message: password, nonce, parallelism: 1, tagLength: 32, memory, passes }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      ),
    );
  } finally {
    const next = waiting.shift();
    if (next) next();
    else hashGate.running--;
  }
}
