import { page, type StoredSpace } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { z } from 'zod'

import type { FilesStorage } from '../definitions/files-tables.ts'
import { findPerson, keptBytes } from './people.ts'
import { fileOfRow, type StoredFile, type StoredVersion, versionNumber, versionOfRow } from './stored-file.ts'
import { entriesWithWords, wordsOfQuery } from './word-index.ts'

type Read = FilesStorage['read']

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; missing on the last one. */
  readonly next?: string
}

export interface PageOfFiles {
  /** Prefix of the keys; see `folderPrefix`. */
  readonly prefix?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const allFiles = (read: Read) =>
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
      'people.did',
      'blobs.file',
    ])

const files = (read: Read, did: string) => allFiles(read).where('people.did', '=', did)

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

/** Finds a file by its row, with the DID of its owner. */
export const findEntry = async (
  read: Read,
  entry: number,
): Promise<{ readonly did: string; readonly file: StoredFile } | undefined> => {
  const row = await allFiles(read).where('entries.entry', '=', entry).executeTakeFirst()
  return row && { did: row.did, file: fileOfRow(row) }
}

/** Finds files by their keys, with their rows. */
export const findFiles = async (
  read: Read,
  did: string,
  keys: readonly string[],
): Promise<readonly { readonly entry: number; readonly key: string; readonly sha256: string }[]> =>
  keys.length === 0 ? [] : await files(read, did).where('entries.key', 'in', keys).execute()

/** Limits of the pages of files and versions. */
export const pageSize = { limit: 100, maxLimit: 1_000 } as const

const filePage = page({ name: 'files', item: z.custom<StoredFile>(), ...pageSize })
const versionPage = page({ name: 'versions', item: z.custom<StoredVersion>(), key: z.int(), ...pageSize })

/** Lists files by path. @throws `cursor_invalid` */
export const listFiles = async (
  read: Read,
  did: string,
  { prefix, limit, cursor }: PageOfFiles,
): Promise<Page<StoredFile>> => {
  const filters = { prefix }
  const behind = filePage.read(cursor, filters)
  let query = files(read, did)
    .orderBy('entries.key')
    .limit(limit + 1)
  if (prefix !== undefined) query = query.where('entries.key', '>=', prefix).where('entries.key', '<', after(prefix))
  if (behind !== undefined) query = query.where('entries.key', '>', behind)
  const rows = await query.execute()
  const { files: items, ...next } = filePage.make(rows, { limit, filters, keyOf: ({ key }) => key, itemOf: fileOfRow })
  return { items, ...next }
}

/** Lists files, latest change first. */
export const latestFiles = async (
  read: Read,
  did: string,
  { prefix, limit }: Omit<PageOfFiles, 'cursor'>,
): Promise<readonly StoredFile[]> => {
  let query = files(read, did).orderBy('entries.updated_at', 'desc').orderBy('entries.entry', 'desc').limit(limit)
  if (prefix !== undefined) query = query.where('entries.key', '>=', prefix).where('entries.key', '<', after(prefix))
  return (await query.execute()).map(fileOfRow)
}

/** Lists versions of one key, or of all, latest first. @throws `cursor_invalid` */
export const listVersions = async (
  read: Read,
  did: string,
  {
    key,
    limit,
    cursor,
  }: { readonly key?: string | undefined; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<StoredVersion>> => {
  const filters = { key }
  const behind = versionPage.read(cursor, filters)
  let query = versions(read, did)
    .orderBy('versions.version', 'desc')
    .limit(limit + 1)
  if (key !== undefined) query = query.where('versions.key', '=', key)
  if (behind !== undefined) query = query.where('versions.version', '<', behind)
  const settings = { limit, filters, keyOf: (row: { version: number }) => row.version, itemOf: versionOfRow }
  const { versions: items, ...next } = versionPage.make(await query.execute(), settings)
  return { items, ...next }
}

export const findVersion = async (read: Read, did: string, id: string): Promise<StoredVersion | undefined> => {
  const number = versionNumber(id)
  if (number === undefined) return undefined
  const row = await versions(read, did).where('versions.version', '=', number).executeTakeFirst()
  return row && versionOfRow(row)
}

/** Returns a person's usage. */
export const usedBy = async (read: Read, space: Pick<StoredSpace, 'ofUser'>, did: string) => {
  const person = await findPerson(read, did)
  if (!person) return { bytes: 0, files: 0, versions: 0 }
  const { files } = await read
    .selectFrom('files_entries')
    .select(sql<number>`count(*)`.as('files'))
    .where('person', '=', person.person)
    .executeTakeFirstOrThrow()
  return { bytes: await keptBytes(read, space, person), files, versions: person.records - files }
}

/** Finds files with words of a query in their path or text, best first. */
export const searchFiles = async (
  { read, engine }: Pick<FilesStorage, 'read' | 'engine'>,
  did: string,
  query: string,
  limit: number,
): Promise<readonly StoredFile[]> => {
  const person = await findPerson(read, did)
  const words = wordsOfQuery(query)
  if (!person || words.length === 0) return []
  const scores = await entriesWithWords(engine, read, person.person, words)
  const best = [...scores]
    .toSorted(([one, score], [other, otherScore]) => otherScore - score || other - one)
    .slice(0, limit)
    .map(([entry]) => entry)
  if (best.length === 0) return []
  const rows = await files(read, did).where('entries.entry', 'in', best).execute()
  return rows.toSorted((one, other) => best.indexOf(one.entry) - best.indexOf(other.entry)).map(fileOfRow)
}

/** Returns the end of the range of keys with a prefix, which ends with a slash. */
const after = (prefix: string): string => `${prefix.slice(0, -1)}0`
