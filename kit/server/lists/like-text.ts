/** A pattern for `like` and `ilike` that finds a text anywhere, whatever signs of a pattern stand in it. @example sql`name like ${likeText("50%")}` */
export const likeText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
