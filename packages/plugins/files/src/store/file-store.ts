import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Clock, isToolFailure, type Logger, type Places, type ShareOf, type StoredSpace } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { FilePath } from '../content/file-path.ts'
import { mediaTypeOf } from '../content/media-type.ts'
import { readText } from '../content/read-text.ts'
import type { FilesLimits } from '../definitions/files-env.ts'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage } from '../definitions/files-tables.ts'
import { type BlobStore, type ByteRange, headBytes, type NewBlob, type OpenBlob } from '../disk/blob-store.ts'
import { findFile, usedBy } from './file-queries.ts'
import { addedBytes, type Freed, isBroken } from './hold-content.ts'
import { type ContentToKeep, endFile, endVersions, entryAt, keepFile } from './keep-file.ts'
import {
  countRecords,
  ensurePerson,
  type FilesPerson,
  findPerson,
  keptBytes,
  lockPerson,
  onePersonAtATime,
} from './people.ts'
import type { Precondition } from './precondition.ts'
import type { FileFacts, StoredFile, StoredVersion } from './stored-file.ts'
import { UploadReservation } from './upload-reservation.ts'

export interface FileStoreDependencies {
  readonly storage: FilesStorage
  readonly disk: BlobStore
  readonly limits: FilesLimits
  readonly clock: Clock
  readonly shareOf: ShareOf
  /** The counter of bytes, with the limits. */
  readonly space: StoredSpace
  /** Limits concurrent uploads, if they need memory. */
  readonly uploads?: Places | undefined
  readonly log: Pick<Logger, 'warn'>
}

export interface ArrivingFile {
  readonly actor: CountedActor
  readonly at: FilePath
  readonly content: AsyncIterable<Uint8Array>
  /** Expected number of bytes, if known; otherwise space is reserved as they arrive. */
  readonly size?: number | undefined
  readonly mediaType?: string | undefined
  readonly precondition: Precondition
  /** True to use the next free name if the path is taken by another content. */
  readonly renames?: boolean
}

export interface KeptFile {
  readonly file: FileFacts
  /** True if the path was unused before. */
  readonly created: boolean
}

/** Stores files: names in the database, contents on the disk. */
export class FileStore {
  readonly #parts: FileStoreDependencies

  constructor(parts: FileStoreDependencies) {
    this.#parts = parts
  }

  /**
   * Stores an upload; resolves once it is on disk and in the database, and leaves nothing if it fails.
   *
   * @throws the errors of the precondition, `file_too_large`, `files_quota_reached`, `files_too_many`,
   * `files_share_reached`, `files_full`, `files_disk_low`, `files_erased`, `files_busy`, `files_storage_failed`
   */
  async keep({
    actor,
    at,
    content,
    size = 0,
    mediaType,
    precondition,
    renames = false,
  }: ArrivingFile): Promise<KeptFile> {
    const { storage, space, limits, shareOf } = this.#parts
    const { did } = actor
    const current = await findFile(storage.read, did, at.key)
    if (!renames) precondition(current)
    const { holder, network } = shareOf(actor, limits.totalBytes)
    const owner = { ...actor, holder, origin: network }
    const person = await ensurePerson(storage, did, holder)
    const kept = await keptBytes(storage.read, space, person)
    const reservation = new UploadReservation({
      ...this.#parts,
      ...{ owner, person, kept },
      current: renames ? undefined : current,
    })
    const place = this.#parts.uploads?.take(owner)
    if (place && 'full' in place) throw filesErrors.files_busy()
    const blob = await this.#arrive(person.folder, reservation, content, size).finally(() => place?.release())
    try {
      const heals = await isBroken(this.#parts, person, blob)
      const text = readText(blob.head, mediaTypeOf(at.path, mediaType), blob.bytes > blob.head.byteLength) ?? ''
      return await this.#commit(
        person,
        {
          ...{ person: person.person, owner },
          ...{ at, mediaType, text, precondition, renames, heals },
          ...{ sha256: blob.sha256, bytes: blob.bytes, file: blob.file },
          ...{ arrival: reservation.arrival, now: this.#parts.clock.now() },
        },
        reservation,
      )
    } finally {
      this.#parts.disk.settle(blob.folder, blob.file)
    }
  }

  /**
   * Restores a version as the file of its path. The version stays.
   *
   * @throws `file_version_not_found`, and the errors of `keep`
   */
  async restore(did: string, version: StoredVersion, at: FilePath, precondition: Precondition): Promise<KeptFile> {
    const person = await findPerson(this.#parts.storage.read, did)
    if (!person) throw filesErrors.file_version_not_found()
    const { sha256, bytes, mediaType } = version
    const text = readText(await this.head(version), mediaType, true) ?? ''
    const now = this.#parts.clock.now()
    return this.#commit(person, {
      person: person.person,
      owner: { did, holder: person.holder, via: 'ucan' },
      ...{ at, sha256, bytes, mediaType, text, precondition, now },
    })
  }

  /**
   * Deletes a file; it can be restored while versions are kept, unless it is deleted permanently.
   *
   * @throws the errors of the precondition, `file_not_found`
   */
  async remove(did: string, at: FilePath, precondition: Precondition, forGood = false): Promise<void> {
    const { storage, limits, clock, space } = this.#parts
    const person = await findPerson(storage.read, did)
    if (!person) throw filesErrors.file_not_found()
    const freed = await storage.write(
      async tx => {
        await lockPerson(tx, person.person)
        const current = await entryAt(tx, person.person, at.key)
        if (!current) throw filesErrors.file_not_found()
        precondition(current)
        await tx.deleteFrom('files_entries').where('entry', '=', current.entry).execute()
        await tx.deleteFrom('files_words').where('entry', '=', current.entry).execute()
        await countRecords(tx, person.person, -1)
        const kept = forGood ? { versionMs: 0 } : limits
        const file = await endFile(tx, kept, { ...current, now: clock.now(), reason: 'deleted' })
        const versions = forGood ? await endVersions(tx, person.person, at.key) : { freed: [] }
        const all = [...file, ...versions.freed]
        await space.countStored(tx, [{ did, bytes: addedBytes(all) }])
        return all
      },
      forGood ? { ...onePersonAtATime, scrub: true } : onePersonAtATime,
    )
    await this.#drop(person.folder, freed)
  }

  /** Returns a person's usage. */
  usedBy(did: string): ReturnType<typeof usedBy> {
    return usedBy(this.#parts.storage.read, this.#parts.space, did)
  }

  /** Deletes versions permanently, of one key or all. @returns their number */
  async forgetVersions(did: string, key?: string): Promise<number> {
    const { storage, space } = this.#parts
    const person = await findPerson(storage.read, did)
    if (!person) return 0
    const { gone, freed } = await storage.write(
      async tx => {
        await lockPerson(tx, person.person)
        const ended = await endVersions(tx, person.person, key)
        await space.countStored(tx, [{ did, bytes: addedBytes(ended.freed) }])
        return ended
      },
      { ...onePersonAtATime, scrub: true },
    )
    await this.#drop(person.folder, freed)
    return gone
  }

  /**
   * Opens a content; `again` finds it again if it was deleted meanwhile.
   *
   * @returns undefined if it does not exist
   * @throws `files_storage_failed`
   */
  async open<Found extends StoredFile | StoredVersion>(
    found: Found,
    again: () => Promise<Found | undefined>,
    range?: ByteRange,
  ): Promise<{ readonly found: Found; readonly opened: OpenBlob } | undefined> {
    const opened = await this.#parts.disk.open(found.blob, range)
    if (opened) return { found, opened }
    const now = await again()
    if (!now) return undefined
    if (now.blob.file === found.blob.file) throw this.#lost(now)
    return this.open(now, again, now.sha256 === found.sha256 ? range : undefined)
  }

  /** Reads a file with its content, and verifies its hash. @throws `files_storage_failed` */
  async read(
    did: string,
    at: FilePath,
  ): Promise<{ readonly file: StoredFile; readonly content: Uint8Array } | undefined> {
    const { storage } = this.#parts
    const find = () => findFile(storage.read, did, at.key)
    const file = await find()
    const read = file && (await this.open(file, find))
    if (!read) return undefined
    const content = await allOf(read.opened)
    if (createHash('sha256').update(content).digest('hex') !== read.found.sha256) throw this.#lost(read.found)
    return { file: read.found, content }
  }

  /** Reads the beginning of a content. @throws `files_storage_failed` */
  async head(found: StoredFile | StoredVersion): Promise<Uint8Array> {
    const to = Math.min(headBytes, found.bytes) - 1
    const opened = await this.#parts.disk.open(found.blob, to < 0 ? undefined : { from: 0, to })
    if (!opened) throw this.#lost(found)
    return await allOf(opened)
  }

  async #commit(person: FilesPerson, content: ContentToKeep, reservation?: UploadReservation): Promise<KeptFile> {
    const { storage, limits, space } = this.#parts
    try {
      const parts = { engine: storage.engine, limits, space }
      const kept = await storage.write(tx => keepFile(tx, parts, content), onePersonAtATime)
      await this.#drop(person.folder, kept.freed)
      return { file: kept.file, created: kept.created }
    } catch (error) {
      // If the outcome of the transaction is unknown, the sweep decides about the content, and its space stays
      // reserved.
      if (content.file !== undefined && isToolFailure(error)) {
        await this.#drop(person.folder, [{ file: content.file, bytes: 0 }])
        await reservation?.release()
      }
      throw error
    }
  }

  /** Writes a content to the disk within its space, which is released if that fails. */
  async #arrive(
    folder: string,
    reservation: UploadReservation,
    content: ArrivingFile['content'],
    size: number,
  ): Promise<NewBlob> {
    try {
      if (size > 0) await reservation.take(size)
      return await this.#parts.disk.keep(folder, content, total => reservation.take(total))
    } catch (error) {
      await reservation.release()
      throw error
    }
  }

  /** Deletes unused contents; the sweep deletes what remains. */
  async #drop(folder: string, freed: readonly Freed[]): Promise<void> {
    const files = freed.flatMap(({ file = [] }) => file)
    await this.#parts.disk.remove(folder, files).catch(error => {
      this.#parts.log.warn('contents of files could not be deleted; the next sweep deletes them', { error })
    })
  }

  #lost({ blob }: StoredFile | StoredVersion): Error {
    const cause = new Error(
      `The content ${blob.file.slice(0, 12)}… in the storage of files is missing or modified. Check that all processes share FILES_DIR or FILES_URL.`,
    )
    return filesErrors.files_storage_failed({ cause })
  }
}

const allOf = async ({ content, close }: OpenBlob): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await buffer(content))
  } finally {
    await close()
  }
}
