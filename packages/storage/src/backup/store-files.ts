import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseSnapshot } from '../contract/database-snapshot.ts'
import type { OwnedFile, OwnedFiles } from '../contract/owned-files.ts'
import { type BackupObject, listBackups, type OpenBackupFolder } from './backup-folder.ts'
import type { ContentPlace } from './content-place.ts'
import { listObjects } from './list-objects.ts'
import { copyContent, type Digest, digestOfFile, fileWriter, objectName, type Transform } from './stored-object.ts'

/** A content with its place. */
export interface NamedFile extends OwnedFile {
  readonly place: ContentPlace
}

interface FilesToStore {
  readonly opened: OpenBackupFolder
  readonly folder: string
  /** The folder of this backup. */
  readonly target: string
  /** Opens the database as it is after the copy. */
  readonly openNow: () => Promise<DatabaseSnapshot>
  readonly owned: readonly OwnedFiles[]
  readonly transform: Transform | undefined
  readonly onFile: (index: number) => void
}

/** Copies the contents that the folder lacks, and writes the list of all. */
export const storeFiles = async (files: readonly NamedFile[], given: FilesToStore) => {
  const { opened, target, transform } = given
  const encrypted = transform !== undefined
  const known = encrypted ? await knownObjects(given.folder) : undefined
  const lines: string[] = []
  const lost: { readonly path: string; readonly problem: string }[] = []
  let copied = 0
  for (const [index, file] of files.entries()) {
    given.onFile(index)
    const name = objectName(file.path, encrypted)
    const place = join(opened.files, name)
    const expected = known ? known.get(name) : file
    const there = await stat(place).catch(() => undefined)
    if (expected && there?.size === expected.bytes) {
      lines.push(lineOf(name, expected))
      continue
    }
    const written = await storeFile(file, place, given)
    if (typeof written === 'string') lost.push({ path: file.path, problem: written })
    else {
      copied += 1
      lines.push(lineOf(name, written))
    }
  }
  const path = join(target, 'files.ndjson')
  await writeFile(path, lines.join(''), { mode: 0o600, flush: true })
  const list = (await digestOfFile(path)) ?? { bytes: 0, sha256: '' }
  const living = lost.length === 0 ? new Set<string>() : await namedPaths(given)
  const [missing, deleted] = [lost.filter(one => living.has(one.path)), lost.filter(one => !living.has(one.path))]
  const namesOf = (some: typeof lost) => some.map(one => objectName(one.path, encrypted))
  return {
    stored: { ...list, count: lines.length, missing: namesOf(missing), deleted: namesOf(deleted) },
    copied,
    problems: missing.map(one => `${one.path} ${one.problem}.`),
  }
}

const lineOf = (name: string, { bytes, sha256 }: Digest): string => `${JSON.stringify({ name, bytes, sha256 })}\n`

/** Encrypted contents of earlier backups, whose size and digest cannot be known otherwise. */
const knownObjects = async (folder: string): Promise<ReadonlyMap<string, BackupObject>> => {
  const known = new Map<string, BackupObject>()
  for (const name of (await listBackups(folder)).toReversed()) {
    try {
      for await (const object of listObjects(join(folder, name))) known.set(object.name, object)
    } catch {
      // The contents of a damaged list are encrypted again.
    }
  }
  return known
}

/** @returns why the content cannot be stored */
const storeFile = async (
  { path, bytes, sha256, place }: NamedFile,
  to: string,
  { opened, transform }: FilesToStore,
): Promise<Digest | string> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const differs = 'differs from its digest in the database'
  const check = (read: Digest) => {
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new Error(differs)
  }
  const source = await place.read(path)
  if (source === undefined) return 'is missing'
  try {
    const write = fileWriter({ to, part: join(opened.part, 'content') })
    return (await copyContent({ source, write, transform, check })).written
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
