import { secretForms } from './secret-forms.ts'

/** What stands where a secret was. */
export const redacted = '[redacted]'

/** Values shorter than this are too likely to be ordinary words to be struck out wherever they occur. */
const shortestSecret = 6

const secretNames = new Set(['pin', 'phone', 'msisdn', 'bearer', 'jwt', 'seed', 'authorization', 'proxyauthorization'])
const secretEnding =
  /(mnemonic|password|passphrase|secret|token|apikey|privatekey|secretkey|signingkey|encryptionkey|keymaterial|phonenumber|pinhash|cookie)s?$/

/**
 * Whether a field is a secret or a person's phone number by its name, such as `apiKey`, `api_key`, `set-cookie` or
 * `phoneNumber`. Numbers of tokens and answers of yes or no are not.
 */
export const isSecretField = (name: string, value: unknown): boolean => {
  if (value === undefined || value === null || typeof value === 'boolean') return false
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (typeof value === 'number' && plain.endsWith('tokens')) return false
  return secretNames.has(plain) || secretNames.has(plain.replace(/s$/, '')) || secretEnding.test(plain)
}

const bearer = /\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi
const webToken = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g
const ownBearer = /\bsibyl_[\w-]{43}/g
const urlPassword = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/gi

/** A form longer than this is searched for as it is: a regular expression cannot hold one of any length. */
const longestInPattern = 1_000
/** How many characters of forms share a regular expression. */
const mostInPattern = 200_000

/** Makes the function that strikes the given values out of a text, however they are encoded, and nothing else. */
export const createValueRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  const values = [...new Set(secrets)]
    .filter(secret => secret.length >= shortestSecret)
    .flatMap(secretForms)
    .sort((one, other) => other.length - one.length)
  const long = values.filter(({ length }) => length > longestInPattern)
  const patterns = patternsOf(values.filter(({ length }) => length <= longestInPattern))
  return text => {
    const withoutLong = long.reduce(
      (rest, value) => (rest.length < value.length ? rest : rest.replaceAll(value, redacted)),
      text,
    )
    return patterns.reduce((rest, pattern) => rest.replace(pattern, redacted), withoutLong)
  }
}

/** Regular expressions that find the values, the longest first. */
const patternsOf = (values: readonly string[]): RegExp[] => {
  const patterns: RegExp[] = []
  let group: string[] = []
  let size = 0
  const close = () => {
    if (group.length > 0) patterns.push(new RegExp(group.join('|'), 'g'))
    group = []
    size = 0
  }
  for (const value of values) {
    if (size + value.length > mostInPattern) close()
    group.push(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    size += value.length
  }
  close()
  return patterns
}

/**
 * Makes the function that strikes secrets out of a text: the given values however they are encoded, bearer tokens, JSON Web
 * Tokens, bearers of oracles and passwords inside URLs.
 */
export const createTextRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  const strikeValues = createValueRedactor(secrets)
  return text => {
    const withoutKnown = strikeValues(text)
    if (!/ey|:\/\/|bearer|basic|sibyl_/i.test(withoutKnown)) return withoutKnown
    return withoutKnown
      .replace(bearer, `$1 ${redacted}`)
      .replace(webToken, redacted)
      .replace(ownBearer, redacted)
      .replace(urlPassword, `$1${redacted}@`)
  }
}
