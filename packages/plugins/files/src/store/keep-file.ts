import { type FilePath, filePath, numberedPath } from '../content/file-path.ts'
import { mediaTypeOf } from '../content/media-type.ts'
import { type FilesLimits, maxRecords, maxVersions } from '../definitions/files-env.ts'
import { filesErrors, quotaReached } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import { type ContentToHold, holdContent, releaseContent, releaseContents } from './hold-content.ts'
import { countRecords, lockHolder, lockPerson } from './people.ts'
import type { Precondition } from './precondition.ts'
import type { FileFacts } from './stored-file.ts'
import { setWords, wordsOfFile } from './word-index.ts'

/** A content to store as a file. */
export interface ContentToKeep extends ContentToHold {
  /** DID whose quota it counts toward. */
  readonly holder: string
  readonly at: FilePath
  /** As given; by default from the path's extension. */
  readonly mediaType?: string | undefined
  /** Text for the search index. */
  readonly text: string
  readonly precondition: Precondition
  /** True to use the next free name if the path is taken by another content. */
  readonly renames?: boolean
  /** Its reservation of space, which ends with this. */
  readonly arrival?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Result of storing a content. */
export interface Kept {
  readonly file: FileFacts
  readonly created: boolean
  /** Unused contents on the disk. */
  readonly freed: readonly string[]
}

type Parts = { readonly engine: FilesStorage['engine']; readonly limits: FilesLimits }

/** Maximum number of names that are tried. */
const maxNames = 1_000

/**
 * Stores a content as the file of a path, in one transaction with the checks of the precondition and the quota.
 *
 * @throws the errors of the precondition, `files_quota_reached`, `files_too_many`, `files_erased`,
 * `file_version_not_found` if a content no longer exists
 */
export const keepFile = async (tx: FilesTransaction, parts: Parts, content: ContentToKeep): Promise<Kept> => {
  const { person, holder, sha256, bytes, now } = content
  await lockHolder(tx, holder)
  await lockPerson(tx, person)
  const { at, current } = await placeFor(tx, content)
  content.precondition(current)
  const mediaType = mediaTypeOf(at.path, content.mediaType)
  const freed: string[] = []
  const free = (file: string | undefined) => void (file !== undefined && freed.push(file))
  free(await holdContent(tx, content))
  if (current?.sha256 === sha256) free(await releaseContent(tx, person, sha256))
  else if (current) free(await endFile(tx, parts.limits, { ...current, now, reason: 'replaced' }))
  const values = { sha256, bytes, media_type: mediaType, updated_at: now }
  let entry = current?.entry
  if (entry === undefined) {
    const row = { person, key: at.key, path: at.path, created_at: now, ...values }
    entry = (await tx.insertInto('files_entries').values(row).returning('entry').executeTakeFirstOrThrow()).entry
    await countRecords(tx, person, 1)
  } else await tx.updateTable('files_entries').set(values).where('entry', '=', entry).execute()
  if (current?.sha256 !== sha256) {
    await setWords(tx, parts.engine, { person, entry, words: wordsOfFile(at.path, content.text) })
  }
  await checkSpace(tx, parts.limits, holder)
  if (content.arrival !== undefined) await endReservation(tx, content.arrival)
  const path = current?.path ?? at.path
  const file = { path, bytes, mediaType, sha256, createdAt: current?.created_at ?? now, updatedAt: now }
  return { file, created: !current, freed }
}

/** A file that is overwritten or deleted. */
interface EndingFile {
  readonly person: number
  readonly key: string
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  readonly media_type: string
  readonly updated_at: number
  readonly now: number
  readonly reason: 'replaced' | 'deleted'
}

/**
 * Stores the old state of a file as a version, or releases its content if versions are not kept.
 *
 * @returns the unused content on the disk
 */
export const endFile = async (
  tx: FilesTransaction,
  { versionMs }: Pick<FilesLimits, 'versionMs'>,
  { person, key, path, sha256, bytes, media_type, updated_at, now, reason }: EndingFile,
): Promise<string | undefined> => {
  if (versionMs === 0) return releaseContent(tx, person, sha256)
  const row = {
    person,
    key,
    path,
    sha256,
    bytes,
    media_type,
    written_at: updated_at,
    ended_at: now,
    end_reason: reason,
  }
  await tx.insertInto('files_versions').values(row).execute()
  await countRecords(tx, person, 1)
  const oldest = await tx
    .selectFrom('files_versions')
    .select(['version', 'sha256'])
    .where('person', '=', person)
    .where('key', '=', key)
    .orderBy('version', 'desc')
    .offset(maxVersions)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  await tx.deleteFrom('files_versions').where('version', '=', oldest.version).execute()
  await countRecords(tx, person, -1)
  return releaseContent(tx, person, oldest.sha256)
}

/**
 * Deletes versions permanently, of one key or all.
 *
 * @returns their number, and the unused contents on the disk
 */
export const endVersions = async (
  tx: FilesTransaction,
  person: number,
  key?: string,
): Promise<{ readonly gone: number; readonly freed: readonly string[] }> => {
  const ofPerson = tx.deleteFrom('files_versions').where('person', '=', person)
  const gone = await (key === undefined ? ofPerson : ofPerson.where('key', '=', key)).returning('sha256').execute()
  await countRecords(tx, person, -gone.length)
  return { gone: gone.length, freed: await releaseContents(tx, person, gone) }
}

/** Ends the reservation of an upload, if it exists. */
export const endReservation = async (tx: FilesTransaction, reservation: string): Promise<void> => {
  await tx.deleteFrom('files_arrivals').where('arrival', '=', reservation).execute()
}

const checkSpace = async (tx: FilesTransaction, { quotaBytes }: FilesLimits, holder: string): Promise<void> => {
  const { bytes, records } = await tx
    .selectFrom('files_people')
    .select(({ fn }) => [fn.sum<number>('bytes').as('bytes'), fn.sum<number>('records').as('records')])
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  if (Number(bytes) > quotaBytes) throw quotaReached(quotaBytes)
  if (Number(records) > maxRecords) throw filesErrors.files_too_many({ most: maxRecords.toLocaleString('en') })
}

/** Returns the path of the content, and its current state. */
const placeFor = async (tx: FilesTransaction, { person, at, sha256, renames }: ContentToKeep) => {
  for (let number = 1; number <= maxNames; number += 1) {
    const place = number === 1 ? at : filePath(numberedPath(at.path, number))
    const current = await entryAt(tx, person, place.key)
    if (!renames || !current || current.sha256 === sha256) return { at: place, current }
  }
  throw filesErrors.file_taken()
}

/** Returns the row of a file. */
export const entryAt = (tx: FilesTransaction, person: number, key: string) =>
  tx.selectFrom('files_entries').selectAll().where('person', '=', person).where('key', '=', key).executeTakeFirst()
