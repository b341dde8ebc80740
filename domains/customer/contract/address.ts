import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { MEMBERS } from "../../members/contract/index.ts";

/** The address of one's own merchant's page, to put on a table or a bill; none for who stands above merchants. */
export const getCustomerAddress = read({
  path: "/api/customer-address",
  title: "会员页地址",
  access: MEMBERS,
  input: z.object({}),
  output: z.object({
    merchantName: z.string(),
    url: z.string().nullable(),
    /** The same for each store in sight: who joins by it joins there. */
    stores: z.array(z.object({ id: z.string(), name: z.string(), url: z.string() })),
  }),
});
