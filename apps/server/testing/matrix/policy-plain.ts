import { type Policy, policy } from "./policy.ts";

const plain: Policy[] = (["/healthz", "/readyz", "/metrics", "/docs", "/docs/openapi.json"] as const).map((path) =>
  policy(`GET ${path}`, "public", { envelope: "plain" }),
);

const pictures: readonly Policy[] = [
  // Any other host is no picture's; WeChat's own would be asked.
  policy("GET /wxImgfilter/:host/*", "public", { envelope: "file", ok: 404, sample: () => ({ params: { host: "images.example.com" } }) }),
];

/** What belongs to no room. */
export const plainPolicies: readonly Policy[] = [...pictures, ...plain];
