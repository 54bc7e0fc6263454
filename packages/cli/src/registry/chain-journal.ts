import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal } from '@sibyl/registry-ixo'
import { ignoreMissing } from '../errors/code-of.ts'
import { openHomeFolder } from '../home/home-folder.ts'
import { replaceFile } from '../home/through-draft.ts'

/** Signed transactions by the idempotency keys of their creations. */
interface ChainJournal extends Journal {
  /** Drops what is kept under a key that nobody uses again. */
  forget(key: string): Promise<void>
}

/** How long a transaction is kept, in milliseconds, and the most of them. */
const [keptMs, mostKept] = [90 * 86_400_000, 1_000]

/**
 * Keeps signed transactions in `chain-journal` of the home, a file a key: a registration that was broken off is sent again
 * as it was, and not made twice. What is older than 90 days goes with the next one that is written.
 */
export const chainJournal = (home: string): ChainJournal => {
  const folder = join(home, 'chain-journal')
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
  return {
    read: key => readFile(pathOf(key), 'utf8').catch(ignoreMissing),
    async write(key, text) {
      await openHomeFolder(folder)
      await dropOld(folder)
      await replaceFile(pathOf(key), text)
    },
    forget: key => rm(pathOf(key), { force: true }),
  }
}

/** Makes room for one more. */
const dropOld = async (folder: string): Promise<void> => {
  const paths = (await readdir(folder)).map(name => join(folder, name))
  const ages = await Promise.all(paths.map(async path => ({ path, at: await writtenAt(path) })))
  const newest = ages.toSorted((one, other) => other.at - one.at)
  const old = newest.filter(({ at }, place) => at < Date.now() - keptMs || place >= mostKept - 1)
  await Promise.all(old.map(({ path }) => rm(path, { force: true })))
}

/** When a file was written; one that another run has just removed counts as new. */
const writtenAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )
