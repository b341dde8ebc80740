import type { Endpoint } from "@zhangfang/contract/endpoint.ts";

/** What the build puts in place of an endpoint: everything but its schemas, which `load` brings when a form needs them. */
export interface LightEndpoint extends Omit<Endpoint, "input" | "output"> {
  readonly load: () => Promise<Endpoint>;
}

/**
 * The input schema of an endpoint. In the browser it is loaded with zod when first asked for, so that
 * screens without a form never carry it; in tests the endpoint brings its own.
 * @example const schema = await schemaOf(refundOrder); schema.safeParse(values)
 */
export async function schemaOf<E extends Endpoint>(endpoint: E): Promise<E["input"]> {
  const light = endpoint as unknown as Partial<LightEndpoint>;
  return light.load ? (await light.load()).input : endpoint.input;
}
