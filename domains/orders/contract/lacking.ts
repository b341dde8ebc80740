import { z } from "zod";
import { lacking } from "./codes.ts";

/** One or several of `lacking`, with commas, as a filter's address holds them. */
export const lackingFilter = z
  .string()
  .max(64)
  .refine((text) => text.split(",").every((one) => (lacking.values as readonly string[]).includes(one)), "不在可选范围内");
