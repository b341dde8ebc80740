/** The page of one member. */
export const memberHref = (id: string): string => `/member/details?id=${id}`;
