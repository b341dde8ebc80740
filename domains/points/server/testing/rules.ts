// The pure rules, for the model that walks those of all rooms together.
export { earnedOf, keptOf } from "../rules/earn-rules.ts";
