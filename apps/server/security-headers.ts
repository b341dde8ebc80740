// The page loads nothing from elsewhere, runs no inline script and takes no inline style; text becomes markup nowhere.
const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  `frame-src ${process.env["FRAME_ORIGINS"] ?? "'none'"}`,
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join("; ");
/** What a page may ask the browser for: nothing. */
export const PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=()";
const COMMON = {
  "content-security-policy": PAGE_CSP,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": PERMISSIONS,
  "strict-transport-security": "max-age=31536000; includeSubDomains",
} as const;
const FOR_CALLS = { ...COMMON, "cache-control": "no-store" } as const;
const ASSET = /^\/(?:assets\/|index\.html|favicon|version\.json|$|\?)/;

/** The headers of every answer. Calls are never cached; assets say their own. */
export function securityHeaders(url: string): Readonly<Record<string, string>> {
  return ASSET.test(url) ? COMMON : FOR_CALLS;
}
