import { didText } from './did-text.ts'

/**
 * Returns the canonical form of a DID: hexadecimal digits of its percent-encoding in capitals, characters that need none plain
 * (RFC 3986 §6.2.2), and in a did:web the host in lower case, without a dot at its end, and the colon of the port encoded.
 *
 * @example
 * normalDid('did:web:Farm.Example:4810:entities:1') // 'did:web:farm.example%3A4810:entities:1'
 */
export const normalDid = (did: string): string => {
  const text = did.replaceAll(/%[0-9a-f]{2}/gi, encoded => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.-]/.test(character) ? character : encoded.toUpperCase()
  })
  const web = /^did:web:(?<host>[^:%]+)(?:(?:%3A|:)(?<port>[0-9]{1,5})(?![^:]))?(?<path>.*)$/s.exec(text)?.groups
  if (!web) return text
  const { host = '', port, path = '' } = web
  return `did:web:${host.toLowerCase().replace(/\.$/, '')}${port ? `%3A${port}` : ''}${path}`
}

/** Returns whether two DIDs are one party, in whatever form. */
export const sameDid = (one: string, other: string): boolean => normalDid(one) === normalDid(other)

/** A DID that gets rights or credits: its canonical form alone, since another form would be another party. */
export const canonicalDid = didText.refine(did => normalDid(did) === did, {
  error: ({ input }) => `is not in its canonical form: write ${normalDid(String(input))}`,
})
