/**
 * Returns the JSON Pointer (RFC 6901) of a nested value.
 *
 * @param path Pointer of the outer value; empty for the whole document.
 * @param keys Names of members and indexes of items, from the outside in.
 * @example
 * jsonPointer('/properties', 'a/b') // '/properties/a~1b'
 */
export const jsonPointer = (path: string, ...keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((pointer, key) => `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`, path)
