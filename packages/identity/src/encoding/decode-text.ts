import type { BytesCoder } from '@scure/base'

/** Returns the bytes of a text; undefined for text that the encoding does not produce, such as padding or unused bits. */
export function decodeText(encoding: BytesCoder, text: string): Uint8Array | undefined {
  try {
    return encoding.decode(text)
  } catch {
    return undefined
  }
}
