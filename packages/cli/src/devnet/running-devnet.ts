import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../home/parse-json.ts'
import { replaceFile } from '../home/through-draft.ts'

/** Where a devnet listens now, in `running.json` beside its data; a devnet that was killed leaves it behind. */
const runningFile = z.object({ url: z.url({ protocol: /^http$/, hostname: /^localhost$/ }).max(100) })

const pathOf = (folder: string): string => join(folder, 'running.json')

/** Returns where the devnet of a folder listens, as it said when it started; undefined where none did. */
export const readRunningDevnet = async (folder: string): Promise<string | undefined> => {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '')
  return runningFile.safeParse(parseJson(text)).data?.url
}

/** Notes where the devnet of a folder listens; only who holds its database does. */
export const noteRunningDevnet = (folder: string, url: string): Promise<void> =>
  replaceFile(pathOf(folder), `${JSON.stringify({ url })}\n`)

/** Takes the note back; before the database is let go of, so that it is never another's. */
export const dropRunningDevnet = (folder: string): Promise<void> => rm(pathOf(folder), { force: true })
