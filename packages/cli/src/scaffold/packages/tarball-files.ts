import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { parseJson } from '@sibyl/protocol'
import { Parser } from 'tar'
import { z } from 'zod'

/** Maximum size of a package, packed and unpacked; the largest @sibyl package has less than 1 MB. */
const maxTarballBytes = 64 * 1024 * 1024
/** Entries with content: plain files. */
const fileTypes = new Set(['File', 'OldFile'])

interface TarballFile {
  readonly path: string
  readonly content: Uint8Array
}

/** Returns the files of a packed package (gzip, POSIX ustar); undefined where it is not one. */
export const readTarballFiles = async (packed: Uint8Array): Promise<readonly TarballFile[] | undefined> => {
  const archive = await promisify(gunzip)(packed, { maxOutputLength: maxTarballBytes }).catch(() => undefined)
  return archive && filesIn(archive)
}

/** Returns a hash of the files of a package, independent of the program that packed them. */
export const tarballDigest = async (packed: Uint8Array): Promise<string | undefined> => {
  const files = await readTarballFiles(packed)
  if (files === undefined) return undefined
  const hash = createHash('sha256')
  for (const { path, content } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Returns the files of an archive; undefined where it is not one. */
const filesIn = (archive: Uint8Array): Promise<readonly TarballFile[] | undefined> =>
  new Promise(resolve => {
    const files: Promise<TarballFile>[] = []
    const parser = new Parser({
      strict: true,
      filter: (_path, entry) => 'type' in entry && fileTypes.has(entry.type),
      onReadEntry: entry => files.push(entry.concat().then(content => ({ path: entry.path, content }))),
    })
    parser.on('error', () => resolve(undefined)).on('end', () => resolve(Promise.all(files)))
    parser.end(Buffer.from(archive))
  })

/** The relevant manifest of a packed package. */
export type TarballManifest = z.infer<typeof tarballManifest>

const tarballManifest = z.object({
  name: z.string().max(214),
  version: z.string().max(256),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** Prevents the command from waiting for a writer if the path is a pipe. */
const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * Reads `package.json` of a packed package (`.tgz`, POSIX ustar); undefined if it cannot be read or is not a package.
 */
export const readTarballManifest = async (path: string): Promise<TarballManifest | undefined> => {
  const packed = await readRegularFile(path).catch(() => undefined)
  return packed && manifestOfTarball(packed)
}

/** Returns the manifest of a packed package; undefined if it is not one. */
export const manifestOfTarball = async (packed: Uint8Array): Promise<TarballManifest | undefined> => {
  const files = await readTarballFiles(packed)
  const manifest = files?.find(file => file.path === 'package/package.json')
  return manifest && tarballManifest.safeParse(parseJson(Buffer.from(manifest.content).toString('utf8'))).data
}

const readRegularFile = async (path: string): Promise<Buffer | undefined> => {
  const file = await open(path, readWithoutWaiting)
  try {
    const facts = await file.stat()
    return facts.isFile() && facts.size <= maxTarballBytes ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}
