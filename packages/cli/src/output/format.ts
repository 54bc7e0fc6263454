import { cleanLine } from './clean-text.ts'

/** Formats a duration: `3 ms`, `1.2 s`, `2 m 05 s`. */
export const formatDuration = (milliseconds: number): string => {
  const rounded = Math.max(0, Math.round(milliseconds))
  if (rounded < 1_000) return `${rounded} ms`
  return rounded < 9_995 ? `${(rounded / 1_000).toFixed(1)} s` : formatSeconds(rounded)
}

/** Formats a duration in seconds: `0.21 s`, `12.3 s`, `2 m 05 s`. */
export const formatSeconds = (milliseconds: number): string => {
  const seconds = Math.max(0, milliseconds) / 1_000
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`
}

/** Returns a moment in the local time zone: `14:32`, on another day `22 Nov, 14:32`. */
export const formatTime = (moment: Date): string => {
  const day = moment.toDateString() === new Date().toDateString() ? {} : ({ day: 'numeric', month: 'short' } as const)
  return moment.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit' })
}

/** Returns a time in UTC as ISO 8601, in whole seconds. */
export const formatTimestamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

/** Returns a count with its noun: `1 tool`, `2 tools`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Formats a number of bytes: `812 B`, `4.1 kB`, `23 GB`. */
export const formatBytes = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  const value = bytes / 1_000 ** power
  return `${power > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

/** Returns the arguments of a tool call on one line: `city: Berlin, days: 3`; a single list without its name. */
export const formatArguments = (input: unknown): string => {
  if (typeof input !== 'object' || input === null) return formatValue(input)
  if (Array.isArray(input)) return formatValue(input)
  const entries = Object.entries(input)
  const [first] = entries
  if (entries.length === 1 && first && isListOfTexts(first[1])) return formatValue(first[1])
  return entries.map(([name, value]) => `${cleanLine(name)}: ${formatValue(value)}`).join(', ')
}

/** Formats one value on one line: strings unchanged, everything else as JSON. */
export const formatValue = (value: unknown): string => {
  if (value === undefined) return ''
  if (isListOfTexts(value)) return value.map(cleanLine).join(', ')
  if (typeof value === 'string') return cleanLine(value)
  try {
    return cleanLine(JSON.stringify(value))
  } catch {
    return '…'
  }
}

/** Returns the start and end of a DID: `did:key:z6Mkp…c3f`. */
export const shortenDid = (did: string): string => (did.length > 24 ? `${did.slice(0, 13)}…${did.slice(-3)}` : did)

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Quotes a text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Returns a text in lower case without accents: `Ärzte` becomes `arzte`. */
export const plainLetters = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()

/**
 * Converts a name to a slug of lower-case letters, digits and hyphens: `Field Oracle` becomes `field-oracle`. At most
 * 40 characters; `oracle` if it would be empty.
 */
export const slugOf = (name: string): string =>
  plainLetters(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '') || 'oracle'
