import { readFile } from 'node:fs/promises'
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

const maxBytes = 256 * 1024 * 1024
const blockBytes = 512

/** Reads `package.json` of a packed package (`.tgz`, POSIX ustar); undefined where the file is none. */
export const readTarballManifest = async (path: string): Promise<TarballManifest | undefined> => {
  const packed = await readFile(path)
  const archive = await promisify(gunzip)(packed, { maxOutputLength: maxBytes }).catch(() => undefined)
  const text = archive && fileIn(archive, 'package/package.json')
  return text && tarballManifest.safeParse(parseJson(text.toString('utf8'))).data
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
