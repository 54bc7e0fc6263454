import { resolve } from 'node:path'
import { type ContentPlace, digestAt, openContentPlace } from './backup/content-place.ts'
import { type NamedFile, namedPaths } from './backup/store-files.ts'
import { copyContent } from './backup/stored-object.ts'
import { namedFiles } from './backup-copy.ts'
import type { ContentsLocation, OwnedFiles } from './contract/owned-files.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { type MoveOwner, ownersOf } from './move-storage.ts'
import { openSnapshot } from './open-snapshot.ts'

export interface FilesMoveOptions {
  /** The database that names the files. */
  readonly url: string
  readonly owners: readonly MoveOwner[]
  readonly to: ContentsLocation
  readonly onProgress?: (progress: { readonly step: 'files'; readonly done: number; readonly total: number }) => void
}

/**
 * Copies the files of a database to another place and verifies the hash of each; deletes none. The oracle may run: called again, it
 * copies what was added, and continues after an interruption.
 *
 * @throws `move_refused` for the place of the files itself, and those of the object store
 */
export const moveFiles = async ({ url, owners, to, onProgress }: FilesMoveOptions) => {
  const target = await openContentPlace(to)
  const { files, owned } = await readNames(url, owners)
  for (const from of owned) if (isSame(from, to)) throw refuse()
  const lost: { readonly path: string; readonly problem: string }[] = []
  let copied = 0
  for (const [done, file] of files.entries()) {
    onProgress?.({ step: 'files', done, total: files.length })
    if ((await digestAt(target, file.path))?.sha256 === file.sha256) continue
    const problem = await copyTo(target, file)
    if (problem === undefined) copied += 1
    else lost.push({ path: file.path, problem })
  }
  // Others were deleted meanwhile.
  const named = lost.length === 0 ? new Set<string>() : await namedPaths({ owned, openNow: () => openSnapshot(url) })
  const problems = lost.filter(({ path }) => named.has(path)).map(({ path, problem }) => `${path} ${problem}.`)
  return { count: files.length - lost.length, copied, problems }
}

const readNames = async (url: string, all: readonly MoveOwner[]) => {
  const snapshot = await openSnapshot(url)
  try {
    const owners = await ownersOf(snapshot, all)
    const owned: readonly OwnedFiles[] = owners.flatMap(({ files = [] }) => files)
    return { owned, files: await namedFiles(snapshot, owners) }
  } finally {
    await snapshot.close()
  }
}

/** @returns why the file cannot be copied */
const copyTo = async (target: ContentPlace, { path, bytes, sha256, place }: NamedFile): Promise<string | undefined> => {
  const source = await place.read(path)
  if (source === undefined) return 'is missing'
  const differs = 'differs from its digest in the database'
  try {
    await copyContent({
      ...{ source, write: target.writer(path) },
      check: read => {
        if (read.bytes !== bytes || read.sha256 !== sha256) throw new Error(differs)
      },
    })
  } catch (error) {
    if (error instanceof Error && error.message === differs) return differs
    throw error
  }
}

const isSame = (one: ContentsLocation, other: ContentsLocation): boolean =>
  one.objects && other.objects
    ? one.objects.bucketUrl === other.objects.bucketUrl && one.objects.prefix === other.objects.prefix
    : !one.objects && !other.objects && resolve(one.directory) === resolve(other.directory)

const refuse = () =>
  storageErrors.move_refused({
    problem: 'The files are there already.',
    remedy: 'Name another folder or object store; FILES_URL or FILES_DIR stays that of today until the move is done.',
  })
