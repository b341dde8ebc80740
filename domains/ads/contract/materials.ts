import { read } from "@zhangfang/contract/endpoint.ts";
import { z } from "zod";

/** The bytes of a material or of its small picture, for whoever has their link: devices, and pages, whose pictures carry no token. */
export const getMaterialFile = read({
  path: "/api/ad-files/:part/:sha256/:token",
  title: "素材文件",
  access: "public",
  envelope: "file",
  input: z.object({
    part: z.enum(["file", "thumb"]),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    token: z.string().max(64),
  }),
  output: z.unknown(),
});
