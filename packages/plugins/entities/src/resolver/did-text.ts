import { didText } from '@sibyl/protocol'

/** Maximum number of times that a DID may be percent-encoded. */
const maxEncodings = 3

/**
 * Decodes the DID in the raw path of a request: unencoded (`did:web:localhost%3A3000:entities:x`), or percent-encoded
 * once or twice more. The encoding that belongs to a did:web, of the port, stays.
 *
 * @param raw the end of the request's path, not decoded
 * @returns undefined if it cannot be decoded; `isDid` checks the rest
 */
export const decodeDid = (raw: string): string | undefined => {
  let text = raw
  for (let count = 0; count < maxEncodings && /%2[35f]|%3f|^did%3a/i.test(text); count += 1) {
    try {
      text = decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  return text.replaceAll(/%[0-9a-f]{2}/gi, encoded => encoded.toUpperCase())
}

/** Returns the end of a request's path after a prefix, without decoding. */
export const rawPathAfter = (url: string, prefix: string): string => {
  const { pathname } = new URL(url)
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ''
}

/** Maximum length of a did:key; one of an RSA-4096 key has about 740 characters. */
const longestKey = 2_000

/** Returns whether text is a DID (W3C DID Core 1.0 §3.1), without path, query and fragment. */
export const isDid = (text: string): boolean => isLongKey(text) || (didText.safeParse(text).success && !/:$/.test(text))

const isLongKey = (text: string): boolean =>
  text.length <= longestKey && /^did:key:z[1-9A-HJ-NP-Za-km-z]{45,}$/.test(text)
