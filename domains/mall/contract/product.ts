import { z } from "zod";

/** Goods of a merchant, as its id and the mall's own number of them; the delivery has no number. */
export const product = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/.{0,32}$/, "商品无效")
  .meta({ description: "商户编号/商品编号" });
/** The same, or any goods at all. */
export const soldProduct = z.union([product, z.literal("all")]);
