import { lazy, type ReactNode, Suspense } from "react";

interface Given {
  readonly text: string;
  readonly label: string;
  readonly size?: number;
}
/** What draws a code comes with the first one. */
const Drawn = lazy(() =>
  import("@zhangfang/contract/qr-path.ts").then(
    ({ qrPath }) => ({
      default: ({ text, label, size }: Required<Given>): ReactNode => {
        const { path, cells } = qrPath(text);
        return (
          <svg role="img" aria-label={label} width={size} height={size} viewBox={`0 0 ${cells} ${cells}`} shapeRendering="crispEdges">
            <rect width={cells} height={cells} fill="#fff" />
            <path d={path} fill="#000" />
          </svg>
        );
      },
    }),
    () => ({ default: Lost }),
  ),
);
const Lost = (): ReactNode => <span role="alert">二维码没有加载成功，请检查网络后刷新页面</span>;

/**
 * A QR code as one SVG path, black on white in both themes, so that every camera reads it.
 * @param label says what the code is for; screen readers can't scan it
 * @example <QrCode text={`${location.origin}/#/qr-confirm?requestId=${id}`} label="登录二维码" />
 */
export const QrCode = ({ size = 200, ...code }: Given): ReactNode => (
  <Suspense fallback={<svg width={size} height={size} aria-hidden="true" />}>
    <Drawn {...code} size={size} />
  </Suspense>
);
