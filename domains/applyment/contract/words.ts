// The rules as other rooms and screens use them; no schema stands behind these.
export { doctor, isFit } from "./rules/doctor.ts";
export { type Dossier, listOf, textOf } from "./rules/dossier.ts";
export { fieldOf, FIELDS } from "./rules/fields.ts";
export type { Finding } from "./rules/finding.ts";
export { filesOf, pathsOf, requestOf } from "./rules/map-fields.ts";
export { maskOf } from "./rules/masks.ts";
