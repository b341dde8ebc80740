/** What a field is for, where its label does not say it. */
export const HINTS: Readonly<Record<string, string>> = {
  "contact.type": "签约、验证和以后登录商户平台都由超级管理员本人扫码",
  "contact.openid": "填了的话，只有这个微信能扫签约码",
  "contact.phone": "微信支付的通知和验证码发到这里",
  "licence.name": "照执照填写，括号和空格也一样",
  "business.shortName": "顾客付款时看到的店名",
  "business.phone": "顾客在账单里看到，要打得通",
  "account.branchName": "照开户许可证写全，如「成都农村商业银行青羊支行」",
  "account.branchId": "12 位，和全称填一个就行",
  "account.otherName": "开户名称和主体不同名时才选「是」",
  "settlement.activity": "参加 0.2% 活动才填，如 20191030111cff5b5e",
  "owners.count": "直接或间接持有 25% 以上股权的人，法人以外的",
};
