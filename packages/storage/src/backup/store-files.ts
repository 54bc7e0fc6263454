import { Readable } from 'node:stream'
import type { DatabaseSnapshot } from '../contract/database-snapshot.ts'
import type { OwnedFile, OwnedFiles } from '../contract/owned-files.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import type { BackupObject } from './backup-manifest.ts'
import type { BackupPlace } from './backup-place.ts'
import type { ContentPlace } from './content-place.ts'
import { listObjects } from './list-objects.ts'
import { copyContent, type Digest, objectName, type Transform } from './stored-object.ts'

/** A content with its place. */
export interface NamedFile extends OwnedFile {
  readonly place: ContentPlace
}

interface FilesToStore {
  readonly backups: BackupPlace
  /** The path of this backup. */
  readonly part: string
  /** Opens the database as it is after the copy. */
  readonly openNow: () => Promise<DatabaseSnapshot>
  readonly owned: readonly OwnedFiles[]
  readonly transform: Transform | undefined
  readonly onFile: (index: number) => void
}

/** Copies the contents that the place of backups lacks, and writes the list of all. */
export const storeFiles = async (files: readonly NamedFile[], given: FilesToStore) => {
  const { backups, part, transform } = given
  const encrypted = transform !== undefined
  const known = encrypted ? await knownObjects(backups) : undefined
  const sizes = new Map<string, number>()
  for await (const { key, bytes } of backups.list('files/')) sizes.set(key, bytes)
  const lines: string[] = []
  const lost: { readonly path: string; readonly problem: string }[] = []
  let copied = 0
  for (const [index, file] of files.entries()) {
    given.onFile(index)
    const name = objectName(file.path, encrypted)
    const expected = known ? known.get(name) : file
    if (expected && sizes.get(`files/${name}`) === expected.bytes) {
      lines.push(lineOf(name, expected))
      continue
    }
    const written = await storeFile(file, `files/${name}`, given)
    if (typeof written === 'string') lost.push({ path: file.path, problem: written })
    else {
      copied += 1
      lines.push(lineOf(name, written))
    }
  }
  const list = await storeText(backups, `${part}/files.ndjson`, lines.join(''))
  const living = lost.length === 0 ? new Set<string>() : await namedPaths(given)
  const [missing, deleted] = [lost.filter(one => living.has(one.path)), lost.filter(one => !living.has(one.path))]
  const namesOf = (some: typeof lost) => some.map(one => objectName(one.path, encrypted))
  return {
    stored: { ...list, count: lines.length, missing: namesOf(missing), deleted: namesOf(deleted) },
    copied,
    problems: missing.map(one => `${one.path} ${one.problem}.`),
  }
}

/** Stores a text durably. */
export const storeText = async (place: ContentPlace, path: string, text: string): Promise<Digest> => {
  const source = Readable.from([Buffer.from(text)])
  return (await copyContent({ source, write: place.writer(path) })).written
}

const lineOf = (name: string, { bytes, sha256 }: Digest): string => `${JSON.stringify({ name, bytes, sha256 })}\n`

/** Encrypted contents of earlier backups, whose size and digest cannot be known otherwise. */
const knownObjects = async (backups: BackupPlace): Promise<ReadonlyMap<string, BackupObject>> => {
  const known = new Map<string, BackupObject>()
  for (const name of (await backups.names()).toReversed()) {
    try {
      for await (const object of listObjects(backups, name)) known.set(object.name, object)
    } catch (error) {
      // The contents of a damaged list are encrypted again.
      if (!storageErrors.backup_damaged.is(error)) throw error
    }
  }
  return known
}

/** @returns why the content cannot be stored */
const storeFile = async (
  { path, bytes, sha256, place }: NamedFile,
  to: string,
  { backups, transform }: FilesToStore,
): Promise<Digest | string> => {
  const differs = 'differs from its digest in the database'
  const check = (read: Digest) => {
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new Error(differs)
  }
  const source = await place.read(path)
  if (source === undefined) return 'is missing'
  try {
    return (await copyContent({ source, write: backups.writer(to), transform, check })).written
  } catch (error) {
    if (error instanceof Error && error.message === differs) return differs
    throw error
  }
}

/** Returns the contents that the database names now: others were deleted meanwhile. */
export const namedPaths = async ({
  openNow,
  owned,
}: Pick<FilesToStore, 'openNow' | 'owned'>): Promise<ReadonlySet<string>> => {
  const now = await openNow()
  const paths = new Set<string>()
  try {
    for (const { list } of owned) for await (const { path } of list(now)) paths.add(path)
  } finally {
    await now.close()
  }
  return paths
}
