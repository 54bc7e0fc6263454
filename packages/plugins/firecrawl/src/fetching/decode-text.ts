import { ToolFailure } from '@sibyl/core'

/** How far into a page its own word on its charset is looked for, in bytes. */
const scanned = 4_096

/** A charset's mark at the beginning of a text. */
const markOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

/** What a page of HTML or XML says of its own charset. */
const declaredOf = (bytes: Uint8Array): string | undefined => {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, scanned)).toString('latin1')
  const withoutComments = beginning.replaceAll(/<!--[\s\S]*?-->/g, '')
  const declared =
    /<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(withoutComments)?.[1] ??
    /^<\?xml[^>]+?encoding\s*=\s*["']([\w:.-]+)/i.exec(withoutComments)?.[1]
  // It could be read, so it is not UTF-16, whatever it says.
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

/** Whether text is UTF-16 by its mark or its server. */
export const isWideText = (bytes: Uint8Array, charset: string | undefined): boolean =>
  /^utf-?16/i.test(markOf(bytes) ?? charset ?? '')

/**
 * Decodes a page: by the mark at its beginning, its server's word, its own word; else as UTF-8 where it is that, and as
 * windows-1252 where it is not (WHATWG Encoding Standard).
 *
 * @param charset what its server says
 * @param isMarkup whether the text can say its charset itself
 * @throws ToolFailure where the charset is not known
 */
export const decodeText = (bytes: Uint8Array, charset: string | undefined, isMarkup: boolean): string => {
  const label = markOf(bytes) ?? charset ?? (isMarkup ? declaredOf(bytes) : undefined)
  if (label !== undefined) return decoderOf(label).decode(bytes)
  try {
    // A text that was cut may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const decoderOf = (label: string): TextDecoder => {
  try {
    return new TextDecoder(label)
  } catch {
    throw new ToolFailure(`The page is written in a charset that is not known: '${label.slice(0, 40)}'.`)
  }
}
