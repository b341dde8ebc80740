/** The counts by status as the tabs of a list take them. */
export function countsOf(
  perStatus: readonly { readonly status: string | number; readonly count: number }[] | undefined,
): Record<string, number> | undefined {
  return perStatus && Object.fromEntries(perStatus.map(({ status, count }) => [String(status), count]));
}
