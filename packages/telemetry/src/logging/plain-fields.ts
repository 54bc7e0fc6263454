import { isOracleError } from '@sibyl/plugin'
import { isSecretField, redacted } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'

/** Limits of the size of a log line. */
const limits = { depth: 6, entries: 50, text: 2_000 }

/** Characters of a long text that are redacted before it is truncated, so that no part of a secret remains. */
const searched = 20_000

export interface PlainFieldsOptions {
  /** Redacts secrets from a text. */
  redact(text: string): string
  /** Whether errors show their stacks. */
  readonly stacks: boolean
}

/**
 * Copies log fields to plain JSON values: secrets redacted by field name and value, errors as name, code and message,
 * and cycles, functions, big integers, binary data and values that are too large or deep as short words. Never throws.
 */
export const plainFields = (fields: unknown, options: PlainFieldsOptions): Record<string, unknown> => {
  const plain = toPlain(fields, options, 0, new Set())
  return isObject(plain) ? (plain as Record<string, unknown>) : { value: plain }
}

const toPlain = (value: unknown, options: PlainFieldsOptions, depth: number, path: ReadonlySet<object>): unknown => {
  switch (typeof value) {
    case 'string':
      return plainText(value, options)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    case 'boolean':
    case 'undefined':
      return value
    case 'object':
      if (value === null) return null
      if (path.has(value)) return '[circular]'
      try {
        return plainObject(value, options, depth, new Set(path).add(value))
      } catch {
        return '[unreadable]'
      }
    default:
      return `[${typeof value}]`
  }
}

const plainText = (text: string, { redact }: PlainFieldsOptions): string => {
  if (text.length <= limits.text) return redact(text)
  return `${redact(text.slice(0, searched)).slice(0, limits.text)}… (${text.length} characters)`
}

const plainObject = (value: object, options: PlainFieldsOptions, depth: number, path: ReadonlySet<object>): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return plainText(value.href, options)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Error) return plainError(value, options, depth, path)
  if (depth >= limits.depth) return Array.isArray(value) ? '[list]' : '[object]'
  const inside = (entry: unknown) => toPlain(entry, options, depth + 1, path)
  if (Array.isArray(value) || value instanceof Set) {
    const list = [...value]
    const rest = list.length - limits.entries
    return [...list.slice(0, limits.entries).map(inside), ...(rest > 0 ? [`… ${rest} more`] : [])]
  }
  const entries =
    value instanceof Map ? [...value].map(([key, entry]) => [String(key), entry] as const) : readEntries(value)
  const rest = entries.length - limits.entries
  const plain = entries
    .slice(0, limits.entries)
    .map(([key, entry]) => [plainText(key, options), isSecretField(key, entry) ? redacted : inside(entry)])
  return Object.fromEntries(rest > 0 ? [...plain, ['…', `${rest} more`]] : plain)
}

const readEntries = (value: object): (readonly [string, unknown])[] =>
  Object.keys(value).map(key => {
    try {
      return [key, (value as Record<string, unknown>)[key]] as const
    } catch {
      return [key, '[unreadable]'] as const
    }
  })

const plainError = (
  error: Error,
  options: PlainFieldsOptions,
  depth: number,
  path: ReadonlySet<object>,
): Record<string, unknown> => {
  const { code } = error as { code?: unknown }
  const inner = (value: unknown) => (depth < limits.depth ? toPlain(value, options, depth + 1, path) : '[error]')
  return {
    name: plainText(String(error.name), options),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: inner(code) } : {}),
    message: plainText(String(error.message), options),
    ...(isOracleError(error) && Object.keys(error.facts).length > 0 ? { facts: inner(error.facts) } : {}),
    ...(options.stacks && typeof error.stack === 'string' ? { stack: plainText(error.stack, options) } : {}),
    ...(error.cause === undefined ? {} : { cause: inner(error.cause) }),
    ...(error instanceof AggregateError ? { errors: inner(error.errors) } : {}),
  }
}
