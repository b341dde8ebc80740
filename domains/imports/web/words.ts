/** A count as it is read: 4,950. */
export const whole = (count: number): string => count.toLocaleString("en-US");
