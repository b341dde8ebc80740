import type { ReactNode } from "react";
import { qrPath } from "@zhangfang/contract/qr-path.ts";

/**
 * A QR code as one SVG path, black on white in both themes, so that every camera reads it.
 * @param label says what the code is for; screen readers can't scan it
 * @example <QrCode text={`${location.origin}/#/qr-confirm?requestId=${id}`} label="登录二维码" />
 */
export function QrCode({ text, label, size = 200 }: { text: string; label: string; size?: number }): ReactNode {
  const { path, cells } = qrPath(text);
  return (
    <svg role="img" aria-label={label} width={size} height={size} viewBox={`0 0 ${cells} ${cells}`} shapeRendering="crispEdges">
      <rect width={cells} height={cells} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
