/** A part of a whole as people read it; — where there is no whole. @example percentOf(3, 8) // 37.5% */
export const percentOf = (part: number, whole: number): string => (whole === 0 ? "—" : `${Number(((part / whole) * 100).toFixed(1))}%`);
