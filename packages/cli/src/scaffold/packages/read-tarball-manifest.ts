import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../../home/parse-json.ts'
import { maxTarballBytes, readTarballFiles } from './tarball-files.ts'

/** What a packed package says of itself, as far as it matters here. */
export type TarballManifest = z.infer<typeof tarballManifest>

const tarballManifest = z.object({
  name: z.string().max(214),
  version: z.string().max(256),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** A pipe in its place would otherwise keep the command waiting for a writer. */
const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK

/** Reads `package.json` of a packed package (`.tgz`, POSIX ustar); undefined where it cannot be read or is none. */
export const readTarballManifest = async (path: string): Promise<TarballManifest | undefined> => {
  const packed = await readRegularFile(path).catch(() => undefined)
  const files = packed && (await readTarballFiles(packed))
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
