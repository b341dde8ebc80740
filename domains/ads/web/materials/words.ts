/** How much there is, in the unit that is read at a glance. @example sizeWords(1_500_000) // "1.4 MB" */
export const sizeWords = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${Math.max(Math.min(1, bytes), Math.round(bytes / 1024))} KB`;
/** A film's length. @example lengthWords(75_400) // "1:15" */
export function lengthWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
