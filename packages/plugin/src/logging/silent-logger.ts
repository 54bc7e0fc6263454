import type { Logger } from './logger.ts'

/** A logger that writes nothing, for tests and tools. */
export const silentLogger: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}
