/** Fields of a log line; secrets are redacted by name before it is written. */
export type LogFields = Readonly<Record<string, unknown>>

/** Receives log lines. Core has an adapter for pino; a test may pass another one. */
export interface Logger {
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Creates a logger that adds these fields to each of its lines. */
  child(fields: LogFields): Logger
}
