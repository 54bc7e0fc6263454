import { secretForms } from './secret-forms.ts'

/** The replacement of a secret. */
export const redacted = '[redacted]'

/** Shorter values are not redacted, because they are probably ordinary words. */
const shortestSecret = 6

const secretNames = new Set(['pin', 'phone', 'msisdn', 'bearer', 'jwt', 'seed', 'authorization', 'proxyauthorization'])
const secretEnding =
  /(mnemonic|password|passphrase|secret|token|apikey|privatekey|secretkey|signingkey|encryptionkey|keymaterial|phonenumber|pinhash|cookie)s?$/

/**
 * Returns whether the name of a field implies a secret or a phone number, such as `apiKey`, `api_key`, `set-cookie` or
 * `phoneNumber`. Token counts and booleans are not secret.
 */
export const isSecretField = (name: string, value: unknown): boolean => {
  if (value === undefined || value === null || typeof value === 'boolean') return false
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (typeof value === 'number' && plain.endsWith('tokens')) return false
  return secretNames.has(plain) || secretNames.has(plain.replace(/s$/, '')) || secretEnding.test(plain)
}

const bearer = /\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi
const webToken = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g
const ownBearer = /\bsibyl_[\w-]{43,}/g
const urlPassword = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/gi

/** A longer form is searched without a regular expression, which has a length limit. */
const longestInPattern = 1_000
/** Maximum total length of forms in one regular expression, in characters. */
const maxInPattern = 200_000

/** Creates a function that redacts the given values from a text, in any encoding. */
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

/** Returns regular expressions that match the values, longest first. */
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
    if (size + value.length > maxInPattern) close()
    group.push(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    size += value.length
  }
  close()
  return patterns
}

/**
 * Creates a function that redacts secrets from a text: the given values in any encoding, bearer tokens, JSON Web
 * Tokens, bearers of oracles and passwords in URLs.
 */
export const createTextRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  const redactValues = createValueRedactor(secrets)
  return text => {
    const withoutKnown = redactValues(text)
    if (!/ey|:\/\/|bearer|basic|sibyl_/i.test(withoutKnown)) return withoutKnown
    return withoutKnown
      .replace(bearer, `$1 ${redacted}`)
      .replace(webToken, redacted)
      .replace(ownBearer, redacted)
      .replace(urlPassword, `$1${redacted}@`)
  }
}
