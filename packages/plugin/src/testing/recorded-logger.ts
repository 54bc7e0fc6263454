import type { LogFields, Logger } from '../logging/logger.ts'

/** A line that was logged. */
export interface RecordedLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A logger that keeps its lines. */
export interface RecordedLogger extends Logger {
  readonly lines: readonly RecordedLine[]
}

/** Makes a logger that keeps its lines and those of its children. */
export const recordedLogger = (): RecordedLogger => {
  const lines: RecordedLine[] = []
  const make = (own: LogFields): Logger => {
    const at =
      (level: RecordedLine['level']) =>
      (message: string, fields: LogFields = {}) =>
        void lines.push({ level, message, fields: { ...own, ...fields } })
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: fields => make({ ...own, ...fields }),
    }
  }
  return { ...make({}), lines }
}
