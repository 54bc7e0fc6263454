import { baseName } from './file-path.ts'

/** Media types by extension; all others are binary. */
const byEnding: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  log: 'text/plain',
  m4a: 'audio/mp4',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  odt: 'application/vnd.oasis.opendocument.text',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  vcf: 'text/vcard',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/** Unspecific media types, which clients send for unknown files, forms and any text; the extension is more reliable. */
const genericTypes = new Set([
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'binary/octet-stream',
  'multipart/form-data',
])

const unknownType = 'application/octet-stream'

/**
 * Returns the media type of a file: the given one if it is specific, else that of the path's extension.
 *
 * @param given As in `Content-Type`; its parameters are ignored.
 */
export const mediaTypeOf = (path: string, given?: string): string => {
  const type = (given ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const isType = /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type)
  if (isType && !genericTypes.has(type)) return type
  const ending = /\.([^.]+)$/.exec(baseName(path))?.[1]?.toLowerCase() ?? ''
  if (Object.hasOwn(byEnding, ending)) return byEnding[ending]!
  return isType && type.startsWith('text/') ? type : unknownType
}

/** Returns the media type for a response: content that a browser would run or render is sent as bytes. */
export const sentMediaType = (mediaType: string): string =>
  /html|xml|svg|script|wasm|css|x-shockwave/.test(mediaType) && !mediaType.startsWith('application/vnd.')
    ? unknownType
    : mediaType
