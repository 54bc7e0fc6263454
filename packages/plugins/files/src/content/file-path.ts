import { filesErrors } from '../definitions/files-errors.ts'

/** Maximum length of a path segment, in bytes of UTF-8. */
const maxSegment = 255
/** Maximum length of a path, in bytes of UTF-8. */
const maxPath = 1_024
/** Maximum number of path segments. */
const maxDepth = 16

/**
 * Joiners inside words and emoji, and emoji selectors: real names contain them, but two names must not differ only by
 * them.
 */
const joiner = '(?:\\u200c|\\u200d|\\ufe0e|\\ufe0f)'
const joiners = new RegExp(joiner, 'gu')
const strayJoiner = new RegExp(`^${joiner}|${joiner}{3,}|(?:\\u200c|\\u200d)$|[\\x20-\\x7e](?:\\u200c|\\u200d)`, 'u')
/** Control characters, format characters such as direction marks, and other invisible characters. */
const unseen = new RegExp(`(?!${joiner})[\\p{Cc}\\p{Cf}\\p{DI}\\p{Zl}\\p{Zp}]`, 'u')

/** A stored path, and its key, which is unique per person. */
export interface FilePath {
  readonly path: string
  readonly key: string
}

/**
 * Parses the path of a file: relative, in Unicode form NFC, without segments that are empty, `.` or `..`, and without
 * backslashes and invisible characters. It identifies a row in the database and never a place on the disk.
 *
 * @throws `file_path_invalid`
 * @example filePath('reports/2026-W47.md')
 */
export const filePath = (given: string): FilePath => {
  if (given.length > 4 * maxPath) throw filesErrors.file_path_invalid({ problem: `it is longer than ${maxPath} bytes` })
  if (!given.isWellFormed()) throw filesErrors.file_path_invalid({ problem: 'it contains half of a surrogate pair' })
  const path = given.normalize('NFC')
  const violation = violationOf(path)
  if (violation !== undefined) throw filesErrors.file_path_invalid({ problem: violation })
  return { path, key: keyOf(path) }
}

/**
 * Parses the path of a folder, with or without a trailing slash.
 *
 * @returns the prefix of the keys of all files in it
 * @throws `file_path_invalid`
 */
export const folderPrefix = (given: string): string => `${filePath(given.replace(/\/$/, '')).key}/`

/** Returns the key of a path, without joiners, so that two names that look the same are equal. */
const keyOf = (path: string): string => path.replace(joiners, '').normalize('NFC')

const violationOf = (path: string): string | undefined => {
  if (path === '') return 'it is empty'
  if (path.startsWith('/')) return 'it begins with a slash'
  if (path.includes('\\')) return 'it contains a backslash'
  if (unseen.test(path)) return 'it contains invisible characters'
  if (Buffer.byteLength(path) > maxPath) return `it is longer than ${maxPath} bytes`
  const segments = path.split('/')
  if (segments.length > maxDepth) return `it has more than ${maxDepth} levels of folders`
  return segments.map(segmentViolation).find(violation => violation !== undefined)
}

const segmentViolation = (segment: string): string | undefined => {
  if (segment === '') return 'it contains two slashes in a row, or ends with one'
  if (segment === '.' || segment === '..') return 'it has a segment of dots only'
  if (segment !== segment.trim()) return 'one of its segments begins or ends with a space'
  if (strayJoiner.test(segment) || keyOf(segment) === '') return 'it contains invisible characters'
  return Buffer.byteLength(segment) > maxSegment ? `one of its segments is longer than ${maxSegment} bytes` : undefined
}

/** Returns the last segment of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns the path with a number before its extension.
 *
 * @example numberedPath('a/report.md', 2) // 'a/report (2).md'
 */
export const numberedPath = (path: string, number: number): string => {
  const folder = path.slice(0, path.length - baseName(path).length)
  const [, stem = '', ending = ''] = /^(.+?)((?:\.tar)?\.[^.]{1,16})?$/u.exec(baseName(path)) ?? []
  const tail = ` (${number})${ending}`
  let kept = stem
  while (Buffer.byteLength(kept + tail) > maxSegment || Buffer.byteLength(folder + kept + tail) > maxPath) {
    kept = [...kept].slice(0, -1).join('')
  }
  return `${folder}${kept.trimEnd()}${tail}`
}
