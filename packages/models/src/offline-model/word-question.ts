import { isOwnWords } from './clean-value.ts'
import { type Candidate, type JsonSchema, placeholdersOf, wordingsOf } from './offline-catalog.ts'

const capitals = new Set(['did', 'id', 'url', 'sms', 'pin', 'cid'])

/** A placeholder or property as a person reads it: `serviceCode` and `service_code` are 'service code'. */
export const readableName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .split(' ')
    .map(word => (capitals.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')

/** An example's first wording as a person reads it: "What's the weather in [city]?" */
export const readableExample = (candidate: Pick<Candidate, 'example'>): string =>
  (wordingsOf(candidate.example)[0] ?? '').replace(
    /\{([A-Za-z_]\w*)\}/g,
    (_, name: string) => `[${readableName(name)}]`,
  )

/** A text cut to a length that suits a sentence. */
export const shortened = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text

/** Placeholders that are questions themselves, or need another one. */
const ownQuestions = new Map([
  ['to', 'To whom?'],
  ['from', 'From whom or where?'],
  ['at', 'When?'],
  ['when', 'When?'],
  ['where', 'Where?'],
  ['who', 'Who?'],
  ['what', 'What?'],
])

/** Asks for a value: 'Which city?', 'How many days?'. */
export const askValue = (name: string, schema: JsonSchema | undefined): string => {
  const label = readableName(name)
  if (schema?.enum) return `Which ${label}: ${listing(schema.enum.slice(0, 12).map(String), 'or')}?`
  if (schema?.type === 'boolean') return `${label[0]?.toUpperCase()}${label.slice(1)}: yes or no?`
  if (schema?.type === 'integer' || schema?.type === 'number') {
    return label.endsWith('s') ? `How many ${label}?` : `Which ${label}?`
  }
  const own = ownQuestions.get(label)
  if (own) return own
  return isOwnWords(name) && !/date|time|day/i.test(name) ? `What is the ${label}?` : `Which ${label}?`
}

/** Says that a value does not fit, and asks again. */
export const askAgain = (given: string, violation: string, question: string): string =>
  `“${shortened(given)}” is not valid: ${violation.replace(/\.$/, '')}. ${question}`

/** Asks which of several plugins is meant, or whether the one is. */
export const askWhich = (candidates: readonly Candidate[]): string => {
  const [first] = candidates
  if (candidates.length === 1 && first) return `Do you mean “${readableExample(first)}”?`
  const options = candidates.map(one => `${titleOf(one, candidates)} (“${readableExample(one)}”)`)
  return `Do you mean ${listing(options, 'or')}?`
}

/** Shows the request with the values that were found, and asks whether it is the one. */
export const askConfirm = ({ example, values }: Candidate): string => {
  const has = (name: string) => Object.hasOwn(values, name)
  const [wording] = wordingsOf(example)
    .filter(one => placeholdersOf(one).every(has))
    .toSorted((one, other) => placeholdersOf(other).length - placeholdersOf(one).length)
  const names = new Set([...placeholdersOf(wording ?? '').filter(has), ...Object.keys(values)])
  const listed = [...names].map(name => `${readableName(name)}: ${shortened(values[name]!)}`).join('; ')
  const filled = wording?.replace(/\{([A-Za-z_]\w*)\}( \w+)?/g, (_, name: string, next: string = '') => {
    const value = shortened(values[name]!)
    if (repeatsLastWord(value, next)) return value
    return value + (/^(?:1|one|an?)$/i.test(value) ? next.replace(/s$/, '') : next)
  })
  return `Do you mean “${filled ?? readableExample({ example })}”${listed === '' ? '' : ` (${listed})`}?`
}

/** Whether a value ends with the word after it: 'one minute' before ' minutes'. */
const repeatsLastWord = (value: string, next: string): boolean => {
  const singular = (word: string) => word.trim().toLowerCase().replace(/s$/, '')
  return next !== '' && singular(value.split(' ').at(-1) ?? '') === singular(next)
}

/** The plugin's title, with its name where two have the same title. */
const titleOf = ({ entry }: Candidate, candidates: readonly Candidate[]): string => {
  const { title } = entry.manifest
  const shared = candidates.filter(other => other.entry.manifest.title === title).length > 1
  return shared ? `${title} [${entry.name}]` : title
}

/** 'a, b or c'. */
export const listing = (items: readonly string[], word: 'and' | 'or'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
