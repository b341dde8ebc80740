/**
 * The program can't start, and the person who started it can mend it. The message is one Chinese line that says
 * what to do; whoever catches it prints that line alone, without a stack, and exits with 1.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
