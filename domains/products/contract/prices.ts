/** A change of more than half is confirmed by whoever makes it. */
export const isFar = (before: number, after: number): boolean => Math.abs(after - before) * 2 > before;
