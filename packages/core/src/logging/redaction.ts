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

/** Makes the function that strikes the given values out of a text, however they are encoded, and nothing else. */
export const createValueRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  const values = [...new Set(secrets)]
    .filter(secret => secret.length >= shortestSecret)
    .flatMap(secretForms)
    .sort((one, other) => other.length - one.length)
    .map(secret => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const known = values.length > 0 ? new RegExp(values.join('|'), 'g') : undefined
  return text => (known ? text.replace(known, redacted) : text)
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
