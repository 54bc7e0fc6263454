/** Whole groups of four, then at most one group of two or three characters whose unused bits are zero. */
const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/**
 * Encodes bytes as base64url without padding (RFC 4648, section 5).
 *
 * @param bytes any bytes
 * @returns the text, four characters for three bytes
 */
export function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let index = 0; index < bytes.length; index++) binary += String.fromCharCode(bytes[index]!)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Decodes base64url text, accepting only the canonical encoding of each byte string.
 *
 * @param text base64url without padding
 * @returns the bytes, or undefined for padding, white space, foreign characters, an impossible length or unused bits
 */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!CANONICAL.test(text)) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
