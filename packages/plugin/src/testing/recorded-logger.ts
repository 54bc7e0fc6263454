import type { LogFields, Logger } from '../logging/logger.ts'
import { type LogLevel, makeLogger } from '../logging/make-logger.ts'

/** A line that was logged. */
export interface RecordedLine {
  readonly level: LogLevel
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
    return makeLogger(at, fields => make({ ...own, ...fields }))
  }
  return { ...make({}), lines }
}
