import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { replaceFile } from '../home/through-draft.ts'

/** The address of a running devnet, in `running.json` beside its data; a killed devnet leaves it behind. */
const runningFile = z.object({ url: z.url({ protocol: /^http$/, hostname: /^localhost$/ }).max(100) })

const pathOf = (folder: string): string => join(folder, 'running.json')

/** Returns the address of the devnet of a folder, written at its start, if any. */
export const readRunningDevnet = async (folder: string): Promise<string | undefined> => {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '')
  return runningFile.safeParse(parseJson(text)).data?.url
}

/** Writes the address of the devnet of a folder; only the owner of its database does. */
export const noteRunningDevnet = (folder: string, url: string): Promise<void> =>
  replaceFile(pathOf(folder), `${JSON.stringify({ url })}\n`)

/** Removes the address, before the database is released, so that it never belongs to another devnet. */
export const dropRunningDevnet = (folder: string): Promise<void> => rm(pathOf(folder), { force: true })
