import { createHash, randomBytes } from "node:crypto";
import type { Book, Vendor } from "./book.ts";

/** One request to a maker's cloud: the last part of its path and its fields. */
export interface Asked {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly now: number;
}
const SKEW_S = 300;
const REPEAT_MS = 200_000;
const digest = (kind: "sha1" | "md5", text: string) => createHash(kind).update(text).digest("hex");
const late = (seconds: string | undefined, now: number) =>
  !/^\d{10}$/.test(seconds ?? "") || Math.abs(now / 1000 - Number(seconds)) > SKEW_S;

/** Obeys the tags that a printer knows and tells which of them do something besides setting text. */
function onPaper(content: string, newLine: RegExp): { shown: string; commands: string[] } {
  const commands = Array.from(content.matchAll(/<(CUT|PLUGIN|LOGO|QR|MN|MC|audio|BARCODE)\b[^>]*>/gi), (found) =>
    String(found[1]).toUpperCase(),
  );
  // eslint-disable-next-line no-control-regex -- a printer would take them for commands
  if (/[\u0000-\u0009\u000b-\u001f]/.test(content)) commands.push("ESC");
  const shown = content
    .replaceAll(newLine, "\n")
    .replaceAll(/<MN>\d+<\/MN>/g, "")
    .replaceAll(/<QR>(.*?)<\/QR>/g, "【二维码】$1")
    .replaceAll(/<\/?(CB|C|B|L|W|BOLD|RIGHT|FS2?|FB|center|right|CUT|PLUGIN|LOGO|QR)>/g, "");
  return { shown, commands };
}

/** 飞鹅: sha1(user+UKEY+stime), answers `{ret, msg, data}`. */
export function feie(book: Book, { fields, now }: Asked): object {
  const known = book.kept.accounts.feie;
  const { user = "", stime = "", sig = "", apiname, sn = "" } = fields;
  const no = (ret: number, msg: string) => ({ ret, msg, data: null, serverExecutedTime: 1 });
  const yes = (data: unknown) => ({ ret: 0, msg: "ok", data, serverExecutedTime: 1 });
  if (known?.account !== user) return no(-2, "参数错误 : 该账号未注册.");
  if (late(stime, now)) return no(-3, "参数错误 : 请求时间过期.");
  if (sig !== digest("sha1", `${user}${known.secret}${stime}`)) return no(-4, "签名验证失败.");
  if (apiname === "Open_printerAddlist") return yes(addAll(book, user, fields["printerContent"] ?? ""));
  const listed = apiname === "Open_printerDelList" ? (fields["snlist"] ?? "") : sn;
  const device = book.find("feie", listed);
  if (apiname === "Open_printerDelList") {
    if (device?.owner !== user) return yes({ ok: [], no: [`${listed} （错误：用户没有该打印机）`] });
    device.owner = null;
    book.save();
    return yes({ ok: [`${listed} 成功`], no: [] });
  }
  if (device?.owner !== user) return no(1002, "打印机编号和用户不匹配");
  if (apiname === "Open_queryPrinterStatus") return yes(device.online ? "在线，工作状态正常。" : "离线。");
  if (apiname !== "Open_printMsg") return no(1001, "参数错误 : 没有这个接口");
  const content = fields["content"] ?? "";
  if (Buffer.byteLength(content) > 5_000) return no(1003, "打印内容过长");
  const number = `${sn}_${now}_${randomBytes(3).toString("hex")}`;
  book.put({ vendor: "feie", sn, at: now, number, content, ...onPaper(content, /<BR>/g), copies: Number(fields["times"] ?? 1) });
  return yes(number);
}
function addAll(book: Book, user: string, text: string): { ok: string[]; no: string[] } {
  const answer = { ok: [] as string[], no: [] as string[] };
  for (const line of text.split("\n")) {
    const [sn = "", key = ""] = line.split("#");
    const device = book.find("feie", sn);
    const why = !device ? "打印机编号错误" : device.owner !== null ? "已被添加过" : device.key !== key ? "识别码不正确" : undefined;
    if (why) answer.no.push(`${line} （错误：${why}）`);
    else {
      device!.owner = user;
      answer.ok.push(line);
    }
  }
  book.save();
  return answer;
}

/** 易联云: md5(client_id+timestamp+client_secret), a token first, answers `{error, error_description, body}`. */
export function yilian(book: Book, { path, fields, now }: Asked): object {
  const known = book.kept.accounts.yilian;
  const { client_id = "", timestamp = "", sign = "", machine_code = "" } = fields;
  const no = (error: string, error_description: string) => ({ error, error_description });
  const yes = (body: unknown = "") => ({ error: "0", error_description: "success", body });
  const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
  if (!uuid4.test(fields["id"] ?? "")) return no("33", "Uuid不合法");
  if (known?.account !== client_id || late(timestamp, now) || sign !== digest("md5", `${client_id}${timestamp}${known.secret}`))
    return no("11", "sign验证失败");
  if (path === "oauth/oauth") {
    const token = randomBytes(16).toString("hex");
    book.kept.tokens = [token, ...book.kept.tokens].slice(0, 3);
    book.save();
    return yes({
      access_token: token,
      refresh_token: randomBytes(16).toString("hex"),
      machine_code: "",
      expires_in: 2_592_000,
      scope: "all",
    });
  }
  if (!book.kept.tokens.includes(fields["access_token"] ?? "")) return no("18", "access_token已过期,请刷新access_token或者重新授权");
  const device = book.find("yilian", machine_code);
  if (path === "printer/addprinter") {
    if (!device || device.key !== fields["msign"]) return no("8", "打印机信息错误,参数有误");
    device.owner = client_id;
    book.save();
    return yes();
  }
  if (device?.owner !== client_id) return no("10", "权限不足");
  if (path === "printer/deleteprinter") {
    device.owner = null;
    book.save();
    return yes();
  }
  if (path === "printer/getprintstatus") return yes({ state: device.online ? 1 : 0 });
  if (path !== "print/index") return no("12", "缺少必要参数");
  const { origin_id = "", content = "" } = fields;
  if (!/^[0-9A-Za-z]{1,32}$/.test(origin_id)) return no("12", "缺少必要参数");
  const before = book.kept.outputs.find((output) => output.vendor === "yilian" && output.number === origin_id);
  if (!before) {
    const copies = Number(/^<MN>(\d)<\/MN>/.exec(content)?.[1] ?? 1);
    const { shown, commands } = onPaper(content.replace(/^<MN>\d<\/MN>/, ""), /<BR>/g);
    book.put({ vendor: "yilian", sn: machine_code, at: now, number: origin_id, content, shown, commands, copies });
  }
  return yes({ id: String(1_000_000 + book.kept.outputs.length), origin_id });
}

/** 博瑞皓科: the token itself, answers `{errcode, errmsg}`. */
export function borui(book: Book, { path, fields, now }: Asked): object {
  const said = (errcode: number, errmsg: string) => ({ errcode, errmsg });
  const { id = "", token = "", uid = "", seq = "", message = "", version = "" } = fields;
  if (token === "" || token !== book.kept.accounts.borui?.secret) return said(9, "无效的token");
  const device = book.find("borui", id);
  if (!device) return said(2, "设备不存在");
  if (!/^[1-9]$/.test(version)) return said(6, "参数错误");
  if (path === "bind.php") {
    const bind = fields["m"] === "1";
    if (bind && device.owner !== null) return device.owner === uid ? said(4, "已被同一用户绑定") : said(3, "已被其他用户绑定");
    if (!bind && device.owner !== uid) return said(5, "没有绑定");
    device.owner = bind ? uid : null;
    book.save();
    return said(0, "ok");
  }
  if (path !== "notify.php" || message === "" || Buffer.byteLength(message) > 128) return said(6, "参数错误");
  const number = seq;
  const repeated = book.kept.outputs.some(
    (output) =>
      output.vendor === "borui" &&
      output.sn === id &&
      output.number === number &&
      output.content === message &&
      now - output.at < REPEAT_MS,
  );
  if (repeated) return said(17, "重复的请求");
  book.put({ vendor: "borui", sn: id, at: now, number, content: message, shown: message, commands: [], copies: 1 });
  return said(0, "ok");
}

export const MAKERS: Readonly<Record<Vendor, (book: Book, asked: Asked) => object>> = { feie, yilian, borui };
