import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from '../../home/parse-json.ts'

/** What a packed package says of itself, as far as it matters here. */
export type TarballManifest = z.infer<typeof tarballManifest>

const tarballManifest = z.object({
  name: z.string().max(214),
  version: z.string().max(256),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** Of a package, packed and unpacked; the largest of ours has less than 1 MB. */
const maxBytes = 64 * 1024 * 1024
/** A pipe in its place would otherwise keep the command waiting for a writer. */
const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK
const blockBytes = 512

/** Reads `package.json` of a packed package (`.tgz`, POSIX ustar); undefined where it cannot be read or is none. */
export const readTarballManifest = async (path: string): Promise<TarballManifest | undefined> => {
  const packed = await readRegularFile(path).catch(() => undefined)
  const archive = packed && (await promisify(gunzip)(packed, { maxOutputLength: maxBytes }).catch(() => undefined))
  const text = archive && fileIn(archive, 'package/package.json')
  return text && tarballManifest.safeParse(parseJson(text.toString('utf8'))).data
}

const readRegularFile = async (path: string): Promise<Buffer | undefined> => {
  const file = await open(path, readWithoutWaiting)
  try {
    const facts = await file.stat()
    return facts.isFile() && facts.size <= maxBytes ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

/** One file of an archive: each is a block with its name and size, then what it holds in whole blocks. */
const fileIn = (archive: Buffer, wanted: string): Buffer | undefined => {
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const bytes = Number.parseInt(textAt(archive, at + 124, 12), 8)
    if (!(bytes >= 0)) return undefined
    if (textAt(archive, at, 100) === wanted) return archive.subarray(at + blockBytes, at + blockBytes + bytes)
    at += blockBytes + Math.ceil(bytes / blockBytes) * blockBytes
  }
  return undefined
}

const textAt = (archive: Buffer, start: number, length: number): string =>
  archive
    .toString('latin1', start, start + length)
    .split('\0')[0]!
    .trim()
