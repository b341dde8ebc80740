/** What came out of the printers and speakers: one page, no build, reads /_devices/state every two seconds. */
export const DEVICES_PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>云打印机和云喇叭 · 模拟器</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, "PingFang SC", "Noto Sans SC", sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; line-height: 1.5; }
  h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
  p.note { margin: .25rem 0 1rem; opacity: .75; }
  #outputs { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
  article { border: 1px solid #8886; border-radius: .4rem; padding: .75rem; max-width: 26rem; }
  article header { font-size: .85rem; opacity: .8; } pre { margin: .5rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .85rem/1.5 ui-monospace, "Noto Sans Mono CJK SC", monospace; }
  article.spoken pre { font-size: 1.1rem; font-family: inherit; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid #8883; }
  button { font: inherit; padding: .2rem .7rem; min-height: 2rem; border-radius: .4rem; border: 1px solid #8888; }
</style>
</head>
<body>
<h1>云打印机和云喇叭</h1>
<p class="note">代替厂商的云平台：验签名，收下要打印和播报的内容。绑定设备时用下面的编号和密钥。</p>
<p id="said" role="status"></p>
<h2>打印和播报</h2><div id="outputs"></div>
<h2>设备</h2>
<table><thead><tr><th>厂商</th><th>编号</th><th>密钥</th><th>绑定</th><th>状态</th></tr></thead><tbody id="devices"></tbody></table>
<script>
const $ = (id) => document.getElementById(id);
const NAMES = { feie: "飞鹅", yilian: "易联云", borui: "博瑞皓科" };
let seen = "";
function cell(content) { const made = document.createElement("td"); made.append(content); return made; }
async function online(device) {
  await fetch("/_devices/online", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ vendor: device.vendor, sn: device.sn, online: !device.online }) });
  await show();
}
async function show() {
  const text = await (await fetch("/_devices/state")).text();
  if (text === seen) return;
  seen = text;
  const { devices, outputs } = JSON.parse(text);
  $("outputs").replaceChildren(...outputs.slice(0, 30).map((one) => {
    const sheet = document.createElement("article"), head = document.createElement("header"), paper = document.createElement("pre");
    sheet.className = one.vendor === "borui" ? "spoken" : "printed";
    head.textContent = NAMES[one.vendor] + " " + one.sn + " · " + new Date(one.at).toLocaleTimeString("zh-CN") + (one.copies > 1 ? " · " + one.copies + " 联" : "");
    paper.textContent = one.shown; sheet.append(head, paper); return sheet;
  }));
  if (outputs.length === 0) $("outputs").textContent = "还没有打印或播报";
  $("devices").replaceChildren(...devices.map((device) => {
    const row = document.createElement("tr"), button = document.createElement("button");
    button.textContent = device.vendor === "borui" ? "—" : device.online ? "在线，点击关机" : "离线，点击开机"; button.disabled = device.vendor === "borui"; button.onclick = () => online(device);
    row.append(cell(NAMES[device.vendor]), cell(device.sn), cell(device.key || "—"), cell(device.bound ? "已绑定" : "未绑定"), cell(button)); return row;
  }));
}
show().catch((error) => { $("said").textContent = error.message; });
setInterval(() => show().catch((error) => { $("said").textContent = error.message; }), 2000);
</script>
</body>
</html>
`;
