import { filesErrors } from '../definitions/files-errors.ts'

/** The longest part of a path between slashes, in bytes of UTF-8. */
const maxSegment = 255
/** The longest path, in bytes of UTF-8. */
const maxPath = 1_024
/** Most parts of a path. */
const maxDepth = 16

/** Joiners inside words and emoji, and the selectors of emoji: they are in real names, and tell no two names apart. */
const joiner = '(?:\\u200c|\\u200d|\\ufe0e|\\ufe0f)'
const joiners = new RegExp(joiner, 'gu')
const strayJoiner = new RegExp(`^${joiner}|${joiner}{3,}|(?:\\u200c|\\u200d)$|[\\x20-\\x7e](?:\\u200c|\\u200d)`, 'u')
/** Controls, format characters such as those that turn the direction of text, and what else is drawn as nothing. */
const unseen = new RegExp(`(?!${joiner})[\\p{Cc}\\p{Cf}\\p{DI}\\p{Zl}\\p{Zp}]`, 'u')

/** A path as it is kept, and what no two paths of a person share. */
export interface FilePath {
  readonly path: string
  readonly key: string
}

/**
 * Reads the path of a file: relative, in Unicode's form NFC, without parts that are empty, `.` or `..`, without backslashes and
 * what nobody sees. It names a row in the database and never a place on the disk.
 *
 * @throws `file_path_invalid`
 * @example filePath('reports/2026-W47.md')
 */
export const filePath = (given: string): FilePath => {
  if (given.length > 4 * maxPath) throw filesErrors.file_path_invalid({ fault: `it is longer than ${maxPath} bytes` })
  if (!given.isWellFormed()) throw filesErrors.file_path_invalid({ fault: 'it has half of a surrogate pair' })
  const path = given.normalize('NFC')
  const fault = faultOf(path)
  if (fault !== undefined) throw filesErrors.file_path_invalid({ fault })
  return { path, key: keyOf(path) }
}

/**
 * Reads the path of a folder: that of a file, with or without a slash at its end.
 *
 * @returns what the keys of all files in it begin with
 * @throws `file_path_invalid`
 */
export const folderPrefix = (given: string): string => `${filePath(given.replace(/\/$/, '')).key}/`

/** What is compared: no joiners, so that two names that look alike to everybody are one. */
const keyOf = (path: string): string => path.replace(joiners, '').normalize('NFC')

const faultOf = (path: string): string | undefined => {
  if (path === '') return 'it is empty'
  if (path.startsWith('/')) return 'it begins with a slash'
  if (path.includes('\\')) return 'it has a backslash'
  if (unseen.test(path)) return 'it has characters that nobody sees'
  if (Buffer.byteLength(path) > maxPath) return `it is longer than ${maxPath} bytes`
  const segments = path.split('/')
  if (segments.length > maxDepth) return `it is deeper than ${maxDepth} folders`
  return segments.map(segmentFault).find(fault => fault !== undefined)
}

const segmentFault = (segment: string): string | undefined => {
  if (segment === '') return 'it has two slashes in a row, or one at its end'
  if (segment === '.' || segment === '..') return 'it has a part of dots alone'
  if (segment !== segment.trim()) return 'a part of it begins or ends with a space'
  if (strayJoiner.test(segment) || keyOf(segment) === '') return 'it has characters that nobody sees'
  return Buffer.byteLength(segment) > maxSegment ? `a part of it is longer than ${maxSegment} bytes` : undefined
}

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The same path with a number in front of its ending.
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
