import { sql } from '@sibyl/plugin/storage'
import { filesErrors } from '../files-errors.ts'

import type { FilesStorage } from './files-tables.ts'
import { findPerson } from './people.ts'
import { fileOfRow, type StoredFile, type StoredVersion, versionNumber, versionOfRow } from './stored-file.ts'
import { entriesWithWords, wordsOfQuery } from './word-index.ts'

type Read = FilesStorage['read']

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; missing on the last one. */
  readonly next?: string
}

/** How much of a list is wanted. */
export interface PageOfFiles {
  /** What the keys begin with; see `folderPrefix`. */
  readonly prefix?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const files = (read: Read, did: string) =>
  read
    .selectFrom('files_entries as entries')
    .innerJoin('files_people as people', 'people.person', 'entries.person')
    .innerJoin('files_blobs as blobs', join =>
      join.onRef('blobs.person', '=', 'entries.person').onRef('blobs.sha256', '=', 'entries.sha256'),
    )
    .select([
      'entries.entry',
      'entries.key',
      'entries.path',
      'entries.sha256',
      'entries.bytes',
      'entries.media_type',
      'entries.created_at',
      'entries.updated_at',
      'people.folder',
      'blobs.file',
    ])
    .where('people.did', '=', did)

const versions = (read: Read, did: string) =>
  read
    .selectFrom('files_versions as versions')
    .innerJoin('files_people as people', 'people.person', 'versions.person')
    .innerJoin('files_blobs as blobs', join =>
      join.onRef('blobs.person', '=', 'versions.person').onRef('blobs.sha256', '=', 'versions.sha256'),
    )
    .select([
      'versions.version',
      'versions.path',
      'versions.sha256',
      'versions.bytes',
      'versions.media_type',
      'versions.written_at',
      'versions.ended_at',
      'versions.end_reason',
      'people.folder',
      'blobs.file',
    ])
    .where('people.did', '=', did)

export const findFile = async (read: Read, did: string, key: string): Promise<StoredFile | undefined> => {
  const row = await files(read, did).where('entries.key', '=', key).executeTakeFirst()
  return row && fileOfRow(row)
}

/** Files by their paths. @throws FilesCursorInvalid `files_cursor_invalid` */
export const listFiles = async (
  read: Read,
  did: string,
  { prefix, limit, cursor }: PageOfFiles,
): Promise<Page<StoredFile>> => {
  let query = files(read, did)
    .orderBy('entries.key')
    .limit(limit + 1)
  if (prefix !== undefined) query = query.where('entries.key', '>=', prefix).where('entries.key', '<', after(prefix))
  if (cursor !== undefined) query = query.where('entries.key', '>', readCursor(cursor))
  const rows = await query.execute()
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items: items.map(fileOfRow), ...(rows.length > limit && last ? { next: cursorOf(last.key) } : {}) }
}

/** Files, those changed last first. */
export const latestFiles = async (
  read: Read,
  did: string,
  { prefix, limit }: Omit<PageOfFiles, 'cursor'>,
): Promise<readonly StoredFile[]> => {
  let query = files(read, did).orderBy('entries.updated_at', 'desc').orderBy('entries.entry', 'desc').limit(limit)
  if (prefix !== undefined) query = query.where('entries.key', '>=', prefix).where('entries.key', '<', after(prefix))
  return (await query.execute()).map(fileOfRow)
}

/** Versions of one key, or of all, those that ended last first. @throws FilesCursorInvalid `files_cursor_invalid` */
export const listVersions = async (
  read: Read,
  did: string,
  {
    key,
    limit,
    cursor,
  }: { readonly key?: string | undefined; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<StoredVersion>> => {
  let query = versions(read, did)
    .orderBy('versions.version', 'desc')
    .limit(limit + 1)
  if (key !== undefined) query = query.where('versions.key', '=', key)
  if (cursor !== undefined) {
    const number = versionNumber(readCursor(cursor))
    if (number === undefined) throw filesErrors.files_cursor_invalid()
    query = query.where('versions.version', '<', number)
  }
  const rows = await query.execute()
  const items = rows.slice(0, limit).map(versionOfRow)
  const last = items.at(-1)
  return { items, ...(rows.length > limit && last ? { next: cursorOf(last.id) } : {}) }
}

export const findVersion = async (read: Read, did: string, id: string): Promise<StoredVersion | undefined> => {
  const number = versionNumber(id)
  if (number === undefined) return undefined
  const row = await versions(read, did).where('versions.version', '=', number).executeTakeFirst()
  return row && versionOfRow(row)
}

/** What a person has by now. */
export interface Used {
  readonly bytes: number
  readonly files: number
  readonly versions: number
}

/** How much a person keeps. */
export const usedBy = async (read: Read, did: string): Promise<Used> => {
  const person = await findPerson(read, did)
  if (!person) return { bytes: 0, files: 0, versions: 0 }
  const { files } = await read
    .selectFrom('files_entries')
    .select(sql<number>`count(*)`.as('files'))
    .where('person', '=', person.person)
    .executeTakeFirstOrThrow()
  return { bytes: person.bytes, files, versions: person.records - files }
}

/** Files that have words of a query in their path or text, those that fit best first. */
export const searchFiles = async (
  read: Read,
  did: string,
  query: string,
  limit: number,
): Promise<readonly StoredFile[]> => {
  const person = await findPerson(read, did)
  const words = wordsOfQuery(query)
  if (!person || words.length === 0) return []
  const scores = await entriesWithWords(read, person.person, words)
  const best = [...scores]
    .toSorted(([one, score], [other, otherScore]) => otherScore - score || other - one)
    .slice(0, limit)
    .map(([entry]) => entry)
  if (best.length === 0) return []
  const rows = await files(read, did).where('entries.entry', 'in', best).execute()
  return rows.toSorted((one, other) => best.indexOf(one.entry) - best.indexOf(other.entry)).map(fileOfRow)
}

/** What comes after all keys that begin with a prefix, which ends with a slash. */
const after = (prefix: string): string => `${prefix.slice(0, -1)}0`

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url')

const readCursor = (cursor: string): string => {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text === '' || text.includes('\0') || cursorOf(text) !== cursor) throw filesErrors.files_cursor_invalid()
  return text
}
