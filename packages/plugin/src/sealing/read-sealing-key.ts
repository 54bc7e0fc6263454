/** A parsed key of a variable. */
export interface SealingKey {
  readonly bytes: Uint8Array
  /** True for a passphrase, instead of 32 random bytes. */
  readonly isPhrase: boolean
}

const hexForm = /^[0-9a-f]{64}$/i
const base64Form = /^[A-Za-z0-9+/_-]{43}=?$/
const shortestPhrase = 32

/** The command that generates a key. */
export const sealingKeyCommand = 'openssl rand -hex 32'

/**
 * Parses a key: 32 bytes as 64 hexadecimal digits or as base64 (also URL-safe), otherwise a string of at least 32
 * characters.
 *
 * @returns undefined for anything shorter
 */
export const readSealingKey = (text: string): SealingKey | undefined => {
  const written = text.trim()
  if (hexForm.test(written)) return { bytes: Buffer.from(written, 'hex'), isPhrase: false }
  if (base64Form.test(written)) return { bytes: Buffer.from(written, 'base64'), isPhrase: false }
  return [...written].length < shortestPhrase ? undefined : { bytes: Buffer.from(written, 'utf8'), isPhrase: true }
}

/**
 * Parses a list of keys: separated by commas, or as a JSON list if a key has a comma in it.
 *
 * @returns undefined when one of them is invalid
 * @example readSealingKeys(`${oldKey},${olderKey}`)
 */
export const readSealingKeys = (text: string): readonly SealingKey[] | undefined => {
  const keys = entries(text.trim())?.map(readSealingKey)
  return keys?.every(key => key !== undefined) ? keys : undefined
}

const entries = (text: string): readonly string[] | undefined => {
  if (!text.startsWith('[')) return text.split(',').filter(entry => entry.trim() !== '')
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every(entry => typeof entry === 'string') ? list : undefined
  } catch {
    return undefined
  }
}
