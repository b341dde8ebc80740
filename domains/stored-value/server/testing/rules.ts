// The pure rules, for the model that walks those of all rooms together.
export { legalSums } from "../stored-rules.ts";
