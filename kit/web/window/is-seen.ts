/**
 * Whether a part stands on the page that is seen. One that is hidden with its page loses the focus like one that is left: what was typed into
 * it stays there, and nobody is taken back to it.
 */
export const isSeen = (part: Element): boolean => part.closest<HTMLElement>(".view")?.style.display !== "none";
