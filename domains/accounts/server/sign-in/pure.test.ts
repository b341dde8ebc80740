import { expect, test } from "vitest";
import { checkPassword } from "./check-password.ts";
import { base32, totpAt, totpStep } from "./check-totp.ts";

test("TOTP gives the codes of RFC 6238 appendix B, cut to six digits", () => {
  const secret = Buffer.from("12345678901234567890");
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)
    expect(totpAt(secret, Math.floor(seconds / 30))).toBe(code);
  expect(base32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});
test("a code passes one step early and one late, and never a second time", () => {
  const secret = Buffer.from("12345678901234567890");
  const now = 1_111_111_109_000;
  const step = Math.floor(now / 30_000);
  expect(totpStep(secret, totpAt(secret, step - 1), now, null)).toBe(step - 1);
  expect(totpStep(secret, totpAt(secret, step + 1), now, null)).toBe(step + 1);
  expect(totpStep(secret, totpAt(secret, step + 2), now, null)).toBeUndefined();
  expect(totpStep(secret, totpAt(secret, step), now, step)).toBeUndefined();
});
test("a new password needs a letter, a digit, a sign, eight characters, and is no common one in disguise", () => {
  for (const wrong of ["Abc#123", "abcdefg#", "1234567#", "Abcdefg1", "Password1!", "P@ssw0rd!", "Admin@123", "qwer#1234", "Mch01@2026x"])
    expect(() => checkPassword(wrong, "mch01"), wrong).toThrow();
  for (const right of ["Demo#2026", "天府Yun#2026", "kx9-mmq4-7fd"]) expect(() => checkPassword(right, "mch01"), right).not.toThrow();
});
