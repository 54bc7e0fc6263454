import { parseEnv } from 'node:util'
import { quoteEnvValue } from '../env/quote-env-value.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { readProjectFile, replaceProjectFile } from './read-project-file.ts'

/** Variables by name; a blank one stays in the file and counts as unset. */
type EnvValues = Readonly<Record<string, string>>

/**
 * Sets variables in an `.env` atomically, for its owner alone (0600): comments, order and other lines stay. A variable
 * that is commented out is added below that line, a new one at the end.
 *
 * @param path Of the file, which is created if it is missing.
 * @throws `configuration_invalid` when the file cannot be read or written, a value cannot be quoted, or it has an
 * unterminated quote; it stays unchanged
 */
export const editEnvFile = async (path: string, values: EnvValues): Promise<void> => {
  const text = ((await readProjectFile(path)) ?? '').replace(/^\uFEFF/, '')
  const edited = editEnvText(text, values)
  const wanted = { ...parseEnv(text), ...trimmed(values) }
  if (!sameValues(parseEnv(edited), wanted)) {
    throw cliErrors.configuration_invalid(
      `${path} cannot be edited: it has an unterminated quote.`,
      `Fix it, or make the change yourself: ${Object.keys(values).join(', ')}`,
    )
  }
  await replaceProjectFile(path, edited, 0o600)
}

export const editEnvText = (text: string, values: EnvValues): string =>
  Object.entries(trimmed(values)).reduce((before, [name, value]) => setVariable(before, name, value), text)

const trimmed = (values: EnvValues): EnvValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]))

const sameValues = (one: NodeJS.Dict<string>, other: NodeJS.Dict<string>): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every(name => one[name] === other[name])
}

const setVariable = (text: string, name: string, value: string): string => {
  const line = `${name}=${quoted(name, value)}`
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const places = assignments(text)
  // Of duplicates the last one counts.
  const place = places.findLast(it => it.name === name)
  if (place) return text.slice(0, place.start) + (place.exported ? 'export ' : '') + line + text.slice(place.end)
  const comment = commentedOut(text, name, places)
  if (comment !== undefined) return text.slice(0, comment) + lineBreak + line + text.slice(comment)
  const begun = text === '' || text.endsWith('\n') ? text : text + lineBreak
  return begun + line + lineBreak
}

const quoted = (name: string, value: string): string => {
  const form = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? quoteEnvValue(value) : undefined
  if (form !== undefined) return form
  throw cliErrors.configuration_invalid(
    `The value of ${name} cannot be written to .env.`,
    'Choose one without line breaks, and without all of \' " ` at once.',
  )
}

/** The position of an assignment: from the name to the end of the value, which may span several lines in quotes. */
interface Assignment {
  readonly name: string
  readonly exported: boolean
  readonly start: number
  readonly end: number
}

const assignment = /[ \t]*(?<exported>export[ \t]+)?(?<name>[A-Za-z_]\w*)[ \t]*=[ \t]*/y

const assignments = (text: string): Assignment[] => {
  const found: Assignment[] = []
  let at = 0
  while (at < text.length) {
    assignment.lastIndex = at
    const match = assignment.exec(text)
    const end = match ? endOfValue(text, at + match[0].length) : endOfLine(text, at)
    if (match?.groups?.name) {
      found.push({ name: match.groups.name, exported: match.groups.exported !== undefined, start: at, end })
    }
    at = text.indexOf('\n', end) + 1
    if (at === 0) break
  }
  return found
}

/** Returns the end of a value and the rest of its line; a closing quote may be lines later. */
const endOfValue = (text: string, start: number): number => {
  const quote = text[start] ?? ''
  const closing = '\'"`'.includes(quote) && quote !== '' ? text.indexOf(quote, start + 1) : -1
  return endOfLine(text, closing < 0 ? start : closing)
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > from ? end - 1 : end
}

/** Returns the end of the line `# NAME=…` outside of values, if any. */
const commentedOut = (text: string, name: string, places: readonly Assignment[]): number | undefined => {
  const line = new RegExp(`^[ \\t]*#[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, 'gm')
  return [...text.matchAll(line)]
    .map(({ index, 0: found }) => index + found.length)
    .find(end => !places.some(place => place.start < end && end <= place.end))
}
