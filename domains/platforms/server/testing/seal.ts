/** Seals a secret as an account keeps it, for tests of other rooms that open an account by hand. */
export { placeInAccount, sealKey } from "../accounts/account-keys.ts";
