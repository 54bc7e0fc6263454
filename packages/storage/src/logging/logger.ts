/** Where storage writes what an operator should know; core's `Logger` fits. */
export interface StorageLogger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

const ignore = (): void => {}

/** Says nothing. */
export const silentLogger: StorageLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
