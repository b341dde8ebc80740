const safe = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:640px}label{display:block;margin-top:12px}label.tick{display:inline-block;margin-right:16px}input:not([type=checkbox]),select{width:100%;font:inherit;padding:6px;box-sizing:border-box}button{font:inherit;margin:16px 8px 0 0;padding:6px 16px}output{display:block;margin-top:16px;white-space:pre-wrap}</style>
<h1>${title}</h1>${body}</html>`;
const PERMISSIONS: readonly (readonly [number, string])[] = [
  [1, "消息管理"],
  [2, "用户管理"],
  [3, "账号服务"],
  [4, "网页服务"],
  [7, "群发与通知"],
  [11, "素材管理"],
  [15, "自定义菜单"],
];

/** WeChat's page on which the owner of an account, who has scanned it, chooses what to grant. */
export function loginPage(asked: URLSearchParams): string {
  const hidden = [...asked].map(([name, value]) => `<input type="hidden" name="${safe(name)}" value="${safe(value)}">`);
  const ticks = PERMISSIONS.map(
    ([id, name]) => `<label class="tick"><input type="checkbox" name="permission" value="${id}" checked> ${name}</label>`,
  );
  const own = asked.has("biz_appid")
    ? `<p>公众号 ${safe(asked.get("biz_appid")!)}</p>`
    : '<label>公众号 AppID<input name="appId" required value="wx5a68616e67666e67"></label>';
  return page(
    "公众平台账号授权",
    `<p>模拟器：当作管理员已用微信扫码。</p><form method="post">${hidden.join("")}${own}<label>公众号名称<input name="name" value="蜀味川菜服务号"></label>
<label>类型<select name="kind"><option value="2">服务号</option><option value="0">订阅号</option></select></label><p>授权给第三方平台的权限集</p>${ticks.join("")}<p>出错</p><label class="tick"><input type="checkbox" name="lost" value="1"> 换取授权时应答丢失</label><br><button>授权</button></form>`,
  );
}
const FIELDS: readonly (readonly [string, string])[] = [
  ["appId", "第三方平台 AppID"],
  ["secret", "AppSecret"],
  ["eventUrl", "授权事件接收 URL"],
  ["messageUrl", "消息与事件接收 URL"],
  ["token", "消息校验 Token"],
  ["aesKey", "消息加解密 Key"],
];
/** 微信开放平台, as far as it is needed: a component's settings, its tickets, and who authorised to it. */
export function statePage(
  components: readonly { readonly appId: string; readonly grants: ReadonlyMap<string, { readonly name: string }> }[],
): string {
  const inputs = FIELDS.map(([name, title]) => `<label>${title}<input name="${name}" required></label>`);
  const rows = components.map(({ appId, grants }) => {
    const granted = [...grants].map(
      ([authorizer, { name }]) =>
        `<li>${safe(name)} ${authorizer} <button data-act="unauthorise" data-app="${appId}" data-of="${authorizer}">取消授权</button></li>`,
    );
    return `<h2>${appId}</h2><button data-act="ticket" data-app="${appId}">推送验证票据</button><ul>${granted.join("")}</ul>`;
  });
  return page(
    "第三方平台模拟器",
    `<p>微信开放平台这一边：把 微信应用 → 第三方平台 里的资料填在这里，保存后就推送验证票据。</p><form>${inputs.join("")}<button>保存</button></form>${rows.join("")}<output></output>
<script>const send=async(given)=>{const answer=await(await fetch("/wechat-component",{method:"POST",body:JSON.stringify(given)})).json();document.querySelector("output").textContent=answer.told===200?"对方收下了":"对方没有收下 "+JSON.stringify(answer)};document.forms[0].onsubmit=(e)=>{e.preventDefault();void send({act:"set",...Object.fromEntries(new FormData(e.target))})};document.onclick=(e)=>{const{act,app,of}=e.target.dataset;if(act)void send({act,appId:app,authorizer:of})}</script>`,
  );
}
