export type PageKind = 'html' | 'text' | 'json' | 'xml'

/** A parsed `Content-Type` (RFC 9110 §8.3). */
export interface MediaType {
  /** Lower case, without parameters; '' if it is missing. */
  readonly type: string
  readonly charset: string | undefined
}

/** Parses a `Content-Type`. */
export const readMediaType = (header: string | null): MediaType => {
  const [type = '', ...parameters] = (header ?? '').slice(0, 500).split(';')
  const charset = parameters.map(text => /^\s*charset\s*=\s*"?([^\s"]+)/i.exec(text)?.[1]).find(Boolean)
  return { type: type.trim().toLowerCase(), charset }
}

/** Returns how pages of a media type are converted; undefined if they are not supported. */
export const pageKindOf = (type: string): PageKind | undefined => {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'text/xml' || type === 'application/xml' || /^application\/[^/]+\+xml$/.test(type)) return 'xml'
  return type.startsWith('text/') ? 'text' : undefined
}

const names: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^application\/pdf$/, 'a PDF'],
  [/^image\//, 'an image'],
  [/^audio\//, 'a sound'],
  [/^video\//, 'a video'],
  [/^font\//, 'a font'],
  [/zip|compress|x-tar|x-7z|x-rar/, 'an archive'],
  [/word|excel|powerpoint|officedocument|opendocument/, 'an office document'],
]

/** Returns a media type in plain words. @example nameOfType('image/png') // 'an image (image/png)' */
export const nameOfType = (type: string): string => {
  const name = names.find(([pattern]) => pattern.test(type))?.[1] ?? 'a file'
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(type) ? `${name} (${type})` : name
}

const signatures: readonly (readonly [bytes: string, type: string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG', 'image/png'],
  ['GIF8', 'image/gif'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['RIFF', 'video/x-riff'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['BM', 'image/bmp'],
  ['PK\x03\x04', 'application/zip'],
  ['PK\x05\x06', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ['\xfd7zXZ', 'application/x-xz'],
  ['7z\xbc\xaf', 'application/x-7z-compressed'],
  ['Rar!', 'application/x-rar'],
  ['BZh', 'application/x-bzip2'],
  ['\x28\xb5\x2f\xfd', 'application/zstd'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['\x7fELF', 'application/x-executable'],
  ['MZ', 'application/x-executable'],
  ['\xca\xfe\xba\xbe', 'application/x-executable'],
  ['\0asm', 'application/wasm'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  ['SQLite format 3', 'application/vnd.sqlite3'],
  ['\xd0\xcf\x11\xe0', 'application/x-office-document'],
]

/** Windows text files may begin with `MZ` and `BM` too, but have no such bytes soon after. */
const needsBinary = new Set(['MZ', 'BM', 'RIFF', 'ID3', 'BZh', 'II*\0', 'MM\0*'])

/**
 * Detects the type of a file from its first bytes, regardless of its server: the type of a binary, or undefined for
 * text.
 *
 * @param isWide whether its text is UTF-16, in which zeros are common
 */
export const sniffBinary = (bytes: Uint8Array, isWide: boolean): string | undefined => {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1')
  const hasZeros = !isWide && beginning.includes('\0')
  for (const [signature, type] of signatures) {
    if (beginning.startsWith(signature) && (hasZeros || !needsBinary.has(signature))) return type
  }
  if (/^[\s\S]{4}ftyp/.test(beginning)) return 'video/mp4'
  return hasZeros ? 'application/octet-stream' : undefined
}

/** Returns whether text begins like HTML. */
export const looksLikeHtml = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 3_000))
