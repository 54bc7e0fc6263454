import type { Logger } from '@sibyl/plugin'
import { createTextRedactor, type LogFields, type LogLevel, makeLogger } from '@sibyl/plugin/host'
import { type Logger as Pino, pino, stdTimeFunctions } from 'pino'
import { plainFields } from './plain-fields.ts'
import { type LogRecord, prettyLine } from './pretty-line.ts'
import { standardOutput } from './standard-output.ts'

export interface PinoLoggerOptions {
  /** The minimum level. @default 'info' */
  readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** JSON lines for machines, or readable lines. @default 'json' */
  readonly format?: 'json' | 'pretty'
  /** Whether readable lines have colors. @default false */
  readonly colour?: boolean
  /** The target of complete lines. @default standard output */
  readonly destination?: { write(line: string): unknown }
  /** Called with each line as JSON, after redaction. */
  readonly copy?: (line: string) => void
  /** Redacts secrets from a text. @default `createTextRedactor([])` */
  readonly redact?: (text: string) => string
}

/**
 * Creates the default logger: pino behind the `Logger` port. Secrets are redacted by field name at any depth and by
 * value in every text; an error is written as name, code and message, with its stack at level debug and below.
 */
export const createPinoLogger = ({
  level = 'info',
  format = 'json',
  colour = false,
  destination,
  copy,
  redact = createTextRedactor([]),
}: PinoLoggerOptions = {}): Logger => {
  const out = destination ?? standardOutput()
  const target =
    format === 'json'
      ? out
      : { write: (line: string) => out.write(`${prettyLine(JSON.parse(line) as LogRecord, colour)}\n`) }
  const stream = copy ? copying(target, copy) : target
  const writer = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    stream as pino.DestinationStream,
  )
  const stacks = level === 'debug' || level === 'trace'
  return adapt(writer, fields => renamed(plainFields(fields ?? {}, { redact, stacks })), redact)
}

const copying = (target: { write(line: string): unknown }, copy: (line: string) => void) => ({
  write(line: string) {
    copy(line)
    target.write(line)
  },
})

type Plain = (fields: LogFields | undefined) => Record<string, unknown>

const adapt = (writer: Pino, plain: Plain, redact: (text: string) => string, own: LogFields = {}): Logger => {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (!writer.isLevelEnabled(level)) return
    writer[level]({ ...own, ...plain(fields) }, redact(String(message)))
  }
  return makeLogger(at, fields => adapt(writer, plain, redact, { ...own, ...plain(fields) }))
}

/** The names of the fixed members of a line; a field with such a name would hide one of them. */
const taken = new Set(['level', 'time', 'msg'])

const renamed = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.keys(fields).some(key => taken.has(key))
    ? Object.fromEntries(Object.entries(fields).map(([key, value]) => [taken.has(key) ? `${key}_` : key, value]))
    : fields

/**
 * Creates a logger that adds the current context to each line; the fields of the line override it.
 *
 * @param context Called for each line.
 */
export const contextLogger = (logger: Logger, context: () => LogFields | undefined): Logger => {
  const withContext = (fields: LogFields | undefined): LogFields | undefined => {
    const around = context()
    return around ? { ...around, ...fields } : fields
  }
  return makeLogger(
    level => (message, fields) => logger[level](message, withContext(fields)),
    fields => contextLogger(logger.child(fields), context),
  )
}

/** Creates a logger that writes each line to two. */
export const teeLogger = (one: Logger, other: Logger): Logger =>
  makeLogger(
    level => (message, fields) => {
      one[level](message, fields)
      other[level](message, fields)
    },
    fields => teeLogger(one.child(fields), other.child(fields)),
  )
