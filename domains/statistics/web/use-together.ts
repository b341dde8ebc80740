import { useEffect, useState } from "react";

/** So long the figures of a home wait for what is asked beside them. */
const GRACE_MS = 800;

/**
 * Whether a home may be drawn: its figures are here, and so is the rest, or it took too long. Together nothing is pushed down; a slow count
 * of to-dos holds up nobody's takings, and comes when it comes.
 */
export function useTogether(figures: boolean, rest: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!figures) return;
    const timer = setTimeout(() => setLate(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, [figures]);
  return figures && (rest || late);
}
