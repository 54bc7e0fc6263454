/** Facts that go with a log line; secrets are redacted by name before anything is written. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where log lines go. Core ships an adapter for pino; a test may give its own. */
export interface Logger {
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds these fields to each of its lines. */
  child(fields: LogFields): Logger
}
