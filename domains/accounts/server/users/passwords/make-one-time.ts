import { randomInt } from "node:crypto";
import { PASSWORD } from "@zhangfang/contract/text.ts";

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
/** A one-time password: three groups of four without look-alikes, some 59 random bits. */
export function makeOneTime(): string {
  for (;;) {
    const password = Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join("")).join(
      "-",
    );
    if (PASSWORD.test(password)) return password;
  }
}
