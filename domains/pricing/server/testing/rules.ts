// The pure rules, for the model that walks those of all rooms together.
export { type Back, back, type Given, NOTHING_GIVEN, type Paid } from "../rules/back.ts";
export { best } from "../rules/best.ts";
export { type Facts, type Line, NO_WISH, type Offer, type Wish } from "../rules/facts.ts";
export { price } from "../rules/price.ts";
