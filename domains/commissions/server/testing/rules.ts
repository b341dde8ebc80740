// The pure rules, for the model that walks those of all rooms together.
export { less, type Part, PARTS, type Parts, splitFee, takeBack, type Terms } from "../lines/commission-rules.ts";
export { amountRefusal, type PayoutTerms, withdrawalFee } from "../payouts/withdrawal-rules.ts";
