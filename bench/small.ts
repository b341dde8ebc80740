/** Set by `--small`: every part does what it does with the least that it can, to show that it still works. Figures mean nothing then. */
export const SMALL = process.env["BENCH_SMALL"] === "1";

/** How many of something: as measured, or the least that goes the same way. */
export const sized = (full: number, least: number): number => (SMALL ? least : full);
