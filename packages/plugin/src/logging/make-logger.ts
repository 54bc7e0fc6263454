import type { LogFields, Logger } from './logger.ts'

/** The level of a log line. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

/**
 * Creates a logger.
 *
 * @param at Returns the function that writes lines of a level.
 * @param child Creates a logger that adds these fields to each of its lines.
 */
export const makeLogger = (at: (level: LogLevel) => Logger['info'], child: (fields: LogFields) => Logger): Logger => ({
  trace: at('trace'),
  debug: at('debug'),
  info: at('info'),
  warn: at('warn'),
  error: at('error'),
  child,
})
