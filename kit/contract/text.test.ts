import { describe, expect, test } from "vitest";
import { maskName, maskPhone, maskTail, PASSWORD, SERVICE_PHONE, textWidth } from "./text.ts";

describe("customer-service phone (spec 5)", () => {
  test.each([
    "02158886666",
    "021-58886666",
    "0755-1234567",
    "5888666",
    "13812345678",
    "14712345678",
    "15012345678",
    "17012345678",
    "18012345678",
  ])("%s is taken", (phone) => expect(SERVICE_PHONE.test(phone)).toBe(true));
  test.each(["", "123456", "138123456789012345678", "021-588866", "1381234567a", "+8613812345678", "021--5888666"])(
    "%s is refused",
    (phone) => expect(SERVICE_PHONE.test(phone)).toBe(false),
  );
});
describe("password pattern: a letter, a digit and a special character (spec 5)", () => {
  test.each(["Demo#2026", "aaaaaa1!", "密码A1#密码密"])("%s is taken", (word) => expect(PASSWORD.test(word)).toBe(true));
  test.each(["Demo2026", "Demo####", "1234567#", "D#2026a", "Demo 2026"])("%s is refused", (word) =>
    expect(PASSWORD.test(word)).toBe(false),
  );
});
test("text width counts wide characters as 2 (spec 5)", () => {
  expect(textWidth("abc")).toBe(3);
  expect(textWidth("账房abc")).toBe(7);
  expect(textWidth("é")).toBe(1);
});
test("personal data is masked", () => {
  expect(maskPhone("13812345678")).toBe("138****5678");
  expect(maskName("张小明")).toBe("张**");
  expect(maskTail("6222020200112233")).toBe("****2233");
});
