/**
 * The JSON Pointer (RFC 6901) of a member or item.
 *
 * @param path the pointer of what it is in; empty for the whole body
 * @example
 * jsonPointer('/properties', 'a/b') // '/properties/a~1b'
 */
export const jsonPointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
