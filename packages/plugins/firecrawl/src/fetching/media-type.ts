export type PageKind = 'html' | 'text' | 'json' | 'xml'

/** What a `Content-Type` says (RFC 9110 §8.3). */
export interface MediaType {
  /** Lower case, without parameters; '' where there is none. */
  readonly type: string
  readonly charset: string | undefined
}

/** Reads a `Content-Type`. */
export const readMediaType = (header: string | null): MediaType => {
  const [type = '', ...parameters] = (header ?? '').slice(0, 500).split(';')
  const charset = parameters.map(text => /^\s*charset\s*=\s*"?([^\s"]+)/i.exec(text)?.[1]).find(Boolean)
  return { type: type.trim().toLowerCase(), charset }
}

/** How pages of a media type are read; undefined where they are not. */
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

/** What a media type is in plain words. @example nameOfType('image/png') // 'an image (image/png)' */
export const nameOfType = (type: string): string => {
  const name = names.find(([pattern]) => pattern.test(type))?.[1] ?? 'a file'
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(type) ? `${name} (${type})` : name
}
