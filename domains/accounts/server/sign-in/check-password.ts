import { PASSWORD, PASSWORD_MESSAGE } from "@zhangfang/contract/text.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";

// What is left of the usual choices when digits and signs are taken away; the pattern alone would let "Password1!" through.
const COMMON = new Set([
  "password",
  "passwd",
  "pass",
  "admin",
  "administrator",
  "root",
  "qwer",
  "qwert",
  "qwerty",
  "qwertyuiop",
  "qaz",
  "qazwsx",
  "asd",
  "asdf",
  "asdfgh",
  "zxcv",
  "zxcvbn",
  "abc",
  "abcd",
  "abcdef",
  "a",
  "aa",
  "aaa",
  "welcome",
  "letmein",
  "iloveyou",
  "woaini",
  "test",
  "user",
  "login",
  "master",
  "monkey",
  "dragon",
  "sunshine",
  "princess",
  "wang",
  "zhang",
  "china",
  "hello",
  "secret",
  "changeme",
  "default",
  "guest",
  "zhangfang",
]);
const LEET: Readonly<Record<string, string>> = { "@": "a", "0": "o", "1": "i", "!": "i", $: "s", "5": "s", "3": "e", "7": "t" };

/**
 * Refuses a new password that misses the pattern of spec.md section 5, is a common one in disguise, or holds the login.
 * @throws 400 at `newPassword`
 */
export function checkPassword(password: string, login: string): void {
  if (!PASSWORD.test(password)) throw invalid("newPassword", PASSWORD_MESSAGE);
  const lower = password.toLowerCase();
  const plain = lower.replaceAll(/[^a-z]/g, "");
  const undisguised = lower.replaceAll(/[@01!$537]/g, (sign) => LEET[sign] ?? sign).replaceAll(/[^a-z]/g, "");
  if (COMMON.has(plain) || COMMON.has(undisguised) || COMMON.has(undisguised.replace(/i+$/, "")))
    throw invalid("newPassword", "密码过于常见，请换一个");
  if (login.length >= 4 && lower.includes(login.toLowerCase())) throw invalid("newPassword", "密码不能包含登录名");
}
