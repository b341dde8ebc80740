/** Calls to the simulator and to the product. */
export interface Wire {
  post(url: string, body: object, headers?: Record<string, string>): Promise<Record<string, unknown>>;
  get(url: string, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}
