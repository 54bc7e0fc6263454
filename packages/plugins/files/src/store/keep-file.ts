import type { StoredSpace } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type FilePath, filePath, numberedPath } from '../content/file-path.ts'
import { mediaTypeOf } from '../content/media-type.ts'
import { type FilesLimits, maxRecords, maxVersions } from '../definitions/files-env.ts'
import { filesErrors, quotaReached } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import {
  addedBytes,
  type ContentToHold,
  type Freed,
  holdContent,
  releaseContent,
  releaseContents,
} from './hold-content.ts'
import { countRecords, lockHolder, lockPerson } from './people.ts'
import type { Precondition } from './precondition.ts'
import type { FileFacts } from './stored-file.ts'
import { setWords, wordsOfFile } from './word-index.ts'

/** A content to store as a file. */
export interface ContentToKeep extends ContentToHold {
  /** The person with the holder and the network that it counts for. */
  readonly owner: CountedActor & { readonly holder: string }
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
  readonly freed: readonly Freed[]
}

interface Parts {
  readonly engine: FilesStorage['engine']
  readonly limits: FilesLimits
  readonly space: StoredSpace
}

/** Maximum number of names that are tried. */
const maxNames = 1_000

/**
 * Stores a content as the file of a path, in one transaction with the checks of the precondition and the quota.
 *
 * @throws the errors of the precondition, `files_quota_reached`, `files_too_many`, `files_erased`,
 * `file_version_not_found` if a content no longer exists
 */
export const keepFile = async (tx: FilesTransaction, parts: Parts, content: ContentToKeep): Promise<Kept> => {
  const { person, owner, sha256, bytes, now } = content
  await lockHolder(tx, owner.holder)
  await lockPerson(tx, person)
  const { at, current } = await placeFor(tx, content)
  content.precondition(current)
  const mediaType = mediaTypeOf(at.path, content.mediaType)
  const freed = [await holdContent(tx, content)]
  if (current?.sha256 === sha256) freed.push(...(await releaseContent(tx, person, sha256)))
  else if (current) freed.push(...(await endFile(tx, parts.limits, { ...current, now, reason: 'replaced' })))
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
  await checkRecords(tx, owner.holder)
  const reserved = content.arrival === undefined ? 0 : await endReservation(tx, content.arrival)
  const added = addedBytes(freed) - reserved
  await parts.space.countStored(tx, [{ ...owner, bytes: added }])
  // The reservation has expired.
  if (added > 0) await assertSpace(tx, parts, owner, 0)
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

/** Stores the old state of a file as a version, or releases its content if versions are not kept. */
export const endFile = async (
  tx: FilesTransaction,
  { versionMs }: Pick<FilesLimits, 'versionMs'>,
  { person, key, path, sha256, bytes, media_type, updated_at, now, reason }: EndingFile,
): Promise<readonly Freed[]> => {
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
    .where(eb => eb.and({ person, key }))
    .orderBy('version', 'desc')
    .offset(maxVersions)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return []
  await tx.deleteFrom('files_versions').where('version', '=', oldest.version).execute()
  await countRecords(tx, person, -1)
  return releaseContent(tx, person, oldest.sha256)
}

/** Deletes versions permanently, of one key or all. @returns their number, and what that frees */
export const endVersions = async (
  tx: FilesTransaction,
  person: number,
  key?: string,
): Promise<{ readonly gone: number; readonly freed: readonly Freed[] }> => {
  const ofPerson = tx.deleteFrom('files_versions').where('person', '=', person)
  const gone = await (key === undefined ? ofPerson : ofPerson.where('key', '=', key)).returning('sha256').execute()
  await countRecords(tx, person, -gone.length)
  return { gone: gone.length, freed: await releaseContents(tx, person, gone) }
}

/** Ends the reservation of an upload, if it exists. @returns its bytes, which still count */
export const endReservation = async (tx: FilesTransaction, reservation: string): Promise<number> => {
  const ended = await tx
    .deleteFrom('files_arrivals')
    .where('arrival', '=', reservation)
    .returning('bytes')
    .executeTakeFirst()
  return ended?.bytes ?? 0
}

/** @throws `files_quota_reached`, `files_share_reached` or `files_full` if so many bytes more are too many */
export const assertSpace = async (
  tx: FilesTransaction,
  { space, limits }: Pick<Parts, 'space' | 'limits'>,
  actor: CountedActor,
  bytes: number,
): Promise<void> => {
  const full = await space.fullFor(tx, actor, bytes)
  if (full === 'holder') throw quotaReached(limits.quotaBytes)
  if (full === 'origin') throw filesErrors.files_share_reached()
  if (full === 'all') throw filesErrors.files_full()
}

const checkRecords = async (tx: FilesTransaction, holder: string): Promise<void> => {
  const { records } = await tx
    .selectFrom('files_people')
    .select(({ fn }) => fn.sum<number>('records').as('records'))
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
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
