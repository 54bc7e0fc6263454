/**
 * Returns the encodings of a secret: plain, in JSON, in a URL or a form, in base64 or hexadecimal, including within
 * longer data.
 */
export const secretForms = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const quoted = quote(secret)
  const url = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const forms = [
    secret,
    quoted,
    quote(quoted),
    ...[url, form].flatMap(text => [text, text.replace(/%../g, code => code.toLowerCase())]),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...base64Within(bytes),
    hex,
    hex.toUpperCase(),
  ]
  return [...new Set(forms)]
}

const quote = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the characters of base64 that depend only on these bytes, at each of the three alignments, in both alphabets.
 */
const base64Within = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
