import { paint } from './terminal-style.ts'

/** A log record as it is written in JSON. */
export interface LogRecord {
  readonly level: string
  /** ISO 8601. */
  readonly time: string
  readonly msg: string
  readonly [field: string]: unknown
}

const colours = { trace: 'dim', debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const

/**
 * Formats a readable line: `12:03:11 warn  the message  plugin=weather code=tool_failed`. Line breaks and control
 * characters are escaped, so that no text can forge another line.
 */
export const prettyLine = ({ level, time, msg, ...fields }: LogRecord, colour: boolean): string => {
  const { text, dim } = paint(colour)
  const hue = Object.hasOwn(colours, level) ? colours[level as keyof typeof colours] : 'dim'
  const facts = lastErrors(Object.entries(fields)).map(([key, value]) => `${visible(key)}=${showValue(value)}`)
  const local = new Date(time).toTimeString().slice(0, 8)
  return [
    `${dim(local)} ${text(hue, level.padEnd(5))} ${visible(msg)}`,
    ...(facts.length > 0 ? [dim(facts.join(' '))] : []),
  ].join('  ')
}

/** Puts errors last, since their stacks need separate lines. */
const lastErrors = (fields: readonly [string, unknown][]): readonly [string, unknown][] => [
  ...fields.filter(([, value]) => !isErrorRecord(value)),
  ...fields.filter(([, value]) => isErrorRecord(value)),
]

const showValue = (value: unknown): string => {
  if (typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value)) return value
  if (typeof value === 'string') return visible(JSON.stringify(value))
  if (isErrorRecord(value)) return showError(value)
  return visible(JSON.stringify(value) ?? String(value))
}

interface ErrorRecord {
  readonly name: string
  readonly message: string
  readonly code?: unknown
  readonly stack?: unknown
}

const isErrorRecord = (value: unknown): value is ErrorRecord =>
  typeof value === 'object' && value !== null && 'name' in value && 'message' in value

const showError = ({ name, message, code, stack }: ErrorRecord): string => {
  const head = visible(`${name}${code === undefined ? '' : ` (${String(code)})`}: ${message}`)
  if (typeof stack !== 'string') return `"${head}"`
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line))
  return [`"${head}"`, ...frames.map(frame => `    ${visible(frame.trim())}`)].join('\n')
}

/** Escapes the control characters of a text. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, character =>
    character === '\n'
      ? '\\n'
      : character === '\t'
        ? ' '
        : `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
