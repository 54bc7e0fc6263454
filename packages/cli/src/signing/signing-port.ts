import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openHomeFolder } from '../home/home-folder.ts'
import { parseJson } from '../home/parse-json.ts'
import { replaceFile } from '../home/replace-file.ts'

const portFile = z.object({ port: z.int().min(1).max(65_535) })

/** The port of a computer on which it never had to be another one. */
export const usualSigningPort = 4180

/**
 * The port at which phones find the signing page: browsers keep their keys by it.
 *
 * @param folder see `homeFolder`
 */
export const signingPort = async (folder: string): Promise<number> => {
  const text = await readFile(join(folder, 'signing-port.json'), 'utf8').catch(() => '')
  return portFile.safeParse(parseJson(text)).data?.port ?? usualSigningPort
}

/** Keeps another port for the next times. */
export const keepSigningPort = async (folder: string, port: number): Promise<void> => {
  await openHomeFolder(folder)
  await replaceFile(join(folder, 'signing-port.json'), `${JSON.stringify({ port })}\n`)
}
