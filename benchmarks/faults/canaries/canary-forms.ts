/** A text to look for, and what it is. */
export interface Needle {
  readonly name: string
  readonly text: string
}

/** The fewest characters of a needle: shorter ones are found by chance. */
const shortest = 10

/** Number of characters at either end of a long secret that count as a leak. */
const endLength = 20

/**
 * Base64 of bytes that stand at any place within others: at each of the three alignments the characters that only these
 * bytes decide.
 */
const base64Within = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })

const percentEncoded = (bytes: Buffer, digits: (hex: string) => string): string =>
  [...bytes].map(byte => `%${digits(byte.toString(16).padStart(2, '0'))}`).join('')

const lower = (text: string): string => text
const upper = (text: string): string => text.toUpperCase()

const encodings = (bytes: Buffer): string[] => {
  const hex = bytes.toString('hex')
  return [
    ...base64Within(bytes),
    hex,
    hex.toUpperCase(),
    hex.replace(/(..)(?=.)/g, '$1:'),
    percentEncoded(bytes, lower),
    percentEncoded(bytes, upper),
    [...bytes].join(','),
    [...bytes].join(', '),
  ]
}

const urlForms = (text: string): string[] => {
  const encoded = encodeURIComponent(text)
  return [encoded, encoded.replace(/%../g, lowerCase), encoded.replaceAll('%20', '+'), encodeURI(text)]
}

const lowerCase = (text: string): string => text.toLowerCase()

/** All ways in which a secret text may be written, and either end of it where it is long. */
export const needlesOfText = (name: string, secret: string): Needle[] => {
  const quoted = JSON.stringify(secret).slice(1, -1)
  const ends = secret.length < 2 * endLength ? [] : [secret.slice(0, endLength), secret.slice(-endLength)]
  const forms = [secret, quoted, JSON.stringify(quoted).slice(1, -1), ...urlForms(secret), ...ends]
  return distinct(name, [...forms, ...encodings(Buffer.from(secret))])
}

/** All ways in which secret bytes, such as a key, may be written. */
export const needlesOfBytes = (name: string, bytes: Uint8Array): Needle[] => {
  const buffer = Buffer.from(bytes)
  return distinct(name, [...encodings(buffer), buffer.toString('latin1'), [...buffer.subarray(0, 12)].join(',')])
}

/** The words of a mnemonic: all of them in every form, and any three that follow each other. */
export const needlesOfWords = (name: string, words: readonly string[]): Needle[] => {
  const threes = words.slice(0, -2).map((_, index) => words.slice(index, index + 3))
  const joined = threes.flatMap(three => [' ', ',', ', ', '-', '","', '%20', '+', '\n'].map(mark => three.join(mark)))
  return [...needlesOfText(name, words.join(' ')), ...distinct(`${name}, three words of it`, joined)]
}

const distinct = (name: string, texts: readonly string[]): Needle[] =>
  [...new Set(texts)].filter(text => text.length >= shortest).map(text => ({ name, text }))
