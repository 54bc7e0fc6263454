import { contentText, type MatrixEvent } from '../client/matrix-event.ts'

/** Place of an encrypted message in its Megolm session. A sender uses each once. */
export interface RatchetPlace {
  readonly session: string
  readonly index: number
}

/** Returns the Megolm session of an encrypted event. */
export const sessionIdOf = ({ content }: Pick<MatrixEvent, 'content'>): string =>
  contentText(content.session_id, 255) ?? ''

/**
 * Reads the place of an encrypted event, which its sender signed: the version 3, then field 1 as a variable-length number
 * (Matrix specification, "Megolm", message format). Undefined if it has another format.
 */
export const ratchetPlace = (event: Pick<MatrixEvent, 'content'>): RatchetPlace | undefined => {
  const bytes = Buffer.from(String(event.content.ciphertext), 'base64')
  if (bytes[0] !== 3 || bytes[1] !== 8) return undefined
  let index = 0
  for (const [place, byte] of bytes.subarray(2, 7).entries()) {
    index += (byte & 127) * 2 ** (7 * place)
    if (byte < 128) return { session: sessionIdOf(event), index }
  }
  return undefined
}
