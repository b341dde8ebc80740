// The pure rules, for the model that walks those of all rooms together.
export { type HeldLine, planReturns } from "../returns/return-rules.ts";
export { baseOf, planShare, type SharingFacts, takenOf } from "../shares/sharing-rules.ts";
