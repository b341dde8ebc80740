/** A refusal on the wire (RFC 9457, with our code and the fields to blame). The client shows title or message. */
export interface Problem {
  readonly title: string;
  readonly message: string;
  readonly code: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly traceId?: string;
}
/** Header names of ours for the errors of spec.md section 8. */
export const ERROR_HEADER = "x-app-error";
export const ERROR_TITLE_HEADER = "x-app-error-title";
export const USER_EXISTS = "error.userexists";
