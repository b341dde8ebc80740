/** What is wrong with a bill as a whole; the words are for whoever brought it. Nothing of such a file counts. */
export class BillError extends Error {}
