/** Customer-service phone, exactly as spec.md section 5 says; a mobile of 16x or 19x passes as a landline without area code. */
export const SERVICE_PHONE = /^(?:(?:\d{3,4}-?)?\d{7,14}|1[34578]\d{9})$/;
export const SERVICE_PHONE_MESSAGE = "请输入正确的客服电话";
/** A letter, a digit and a special character (spec.md section 5), at least 8 and at most 128 characters. */
export const PASSWORD = /^(?=.*[A-Za-z])(?=.*\d)(?=.*[^A-Za-z0-9\s]).{8,128}$/;
export const PASSWORD_MESSAGE = "密码至少 8 位，须同时包含字母、数字和特殊字符";

/** Display width: characters outside the basic range count 2 (spec.md section 5). */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0xff ? 2 : 1;
  return width;
}
/** 13812345678 → 138****5678. */
export const maskPhone = (phone: string) => phone.replace(/^(\d{3})\d+(\d{4})$/, "$1****$2");
/** 张小明 → 张**. */
export const maskName = (name: string) => (name.length < 2 ? "*" : name[0] + "*".repeat(Math.min(name.length - 1, 2)));
/** Keeps the last four. */
export const maskTail = (text: string) => (text.length <= 4 ? "****" : `****${text.slice(-4)}`);
