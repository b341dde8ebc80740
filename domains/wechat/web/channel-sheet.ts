import { qrPath } from "@zhangfang/contract/qr-path.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { fitted, HEIGHT, type Sheet, WIDTH, words } from "../../pay-codes/web/index.ts";
import { fanChannelKind, type listFanChannels } from "../contract/index.ts";

type Channel = RowOf<typeof listFanChannels>;
const QR = 560;
/** A code of an account on paper: always black on white, because it is printed. Undefined until WeChat gave it. */
export function channelSheet({ id, kind, name, appName, storeName, merchantName, url, endsAt }: Channel): Sheet | undefined {
  if (url === null) return undefined;
  const { path, cells } = qrPath(url);
  const place = storeName === null || storeName === name ? merchantName : storeName;
  const last = endsAt === null ? `${place} · ${fanChannelKind.label(kind)}码` : `${place} · 有效期到 ${dayOf(endsAt)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, 'PingFang SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif" fill="#1b1f27">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<rect width="${WIDTH}" height="200" fill="#1b1f27"/>
${words(appName, 118, fitted(appName, 48), 'fill="#fff" font-weight="600"')}
${words(name, 300, fitted(name, 60), 'font-weight="600"')}
<svg x="${(WIDTH - QR) / 2}" y="350" width="${QR}" height="${QR}" viewBox="0 0 ${cells} ${cells}" shape-rendering="crispEdges"><rect width="${cells}" height="${cells}" fill="#fff"/><path d="${path}" fill="#000"/></svg>
${words("微信扫码，关注公众号", 990, 52, 'font-weight="600"')}
${words(last, 1130, 26, 'fill="#5d5a52"')}
</svg>`;
  return { id, name: `渠道码-${place}-${name}`, svg };
}
const dayOf = (at: string): string => new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 10);
