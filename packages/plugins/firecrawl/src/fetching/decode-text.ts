import { ToolFailure } from '@sibyl/plugin'

/** Length of the part of a page that is searched for its own charset declaration, in bytes. */
const scanned = 4_096

/** Returns the charset of a byte order mark. */
const markOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

/** Labels of the encoding "replacement", which decodes nothing: such text could be misread as markup. */
const unreadable = /^(?:replacement|csiso2022kr|hz-gb-2312|iso-2022-(?:kr|cn|cn-ext))$/i

/** Returns the labels that a page of HTML or XML declares, in their order. */
const declaredIn = (bytes: Uint8Array): string[] => {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, scanned)).toString('latin1')
  const withoutComments = beginning.replaceAll(/<!--[\s\S]*?-->/g, '')
  const declared = [...withoutComments.matchAll(/<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)/gi)].map(
    ([, label]) => label!,
  )
  const [, inXml] = /^<\?xml[^>]+?encoding\s*=\s*["']([\w:.-]+)/i.exec(withoutComments) ?? []
  // The declaration was readable as ASCII, so the text is not UTF-16.
  return [...declared, ...(inXml === undefined ? [] : [inXml])].map(label =>
    /^(?:utf-?16|unicode|ucs-2|iso-10646-ucs-2|csunicode)/i.test(label)
      ? 'utf-8'
      : label.replace(/^x-user-defined$/i, 'windows-1252'),
  )
}

/** Returns whether text is UTF-16 by its byte order mark or its server. */
export const isWideText = (bytes: Uint8Array, charset: string | undefined): boolean =>
  /^utf-?16/i.test(markOf(bytes) ?? charset ?? '')

/**
 * Decodes a page by its byte order mark, the server's label, or its own label; else as UTF-8 if it is valid UTF-8, and as
 * windows-1252 if not. A label that the WHATWG Encoding Standard does not list is skipped.
 *
 * @param charset the label that the server sent
 * @param isMarkup whether the text can declare its encoding itself
 * @throws ToolFailure if the first listed label is one that decodes nothing
 */
export const decodeText = (bytes: Uint8Array, charset: string | undefined, isMarkup: boolean): string => {
  for (const label of [markOf(bytes), charset, ...(isMarkup ? declaredIn(bytes) : [])]) {
    const decoder = label === undefined ? undefined : decoderOf(label)
    if (decoder !== undefined) return decoder.decode(bytes)
  }
  try {
    // Truncated text may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const decoderOf = (label: string): TextDecoder | undefined => {
  if (unreadable.test(label.trim())) {
    throw new ToolFailure(`The charset of the page is not supported: '${label.slice(0, 40)}'.`)
  }
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
