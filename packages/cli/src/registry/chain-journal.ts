import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal } from '@sibyl/registry-ixo'
import { ignoreMissing } from '../errors/code-of.ts'
import { openHomeFolder } from '../home/home-folder.ts'
import { replaceFile } from '../home/through-draft.ts'

/** Signed transactions by the idempotency keys of their creations. */
interface ChainJournal extends Journal {
  /** Removes the entry of a key that is not used again. */
  forget(key: string): Promise<void>
}

/** The retention of a transaction in milliseconds, and the maximum number of them. */
const [keptMs, maxKept] = [90 * 86_400_000, 1_000]

/**
 * Stores signed transactions in `chain-journal` of the home, one file per key: an interrupted registration is sent
 * again unchanged, and not made twice. Entries older than 90 days are removed with the next write.
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

/** Removes old entries before a new one is written. */
const dropOld = async (folder: string): Promise<void> => {
  const paths = (await readdir(folder)).map(name => join(folder, name))
  const ages = await Promise.all(paths.map(async path => ({ path, at: await writtenAt(path) })))
  const newest = ages.toSorted((one, other) => other.at - one.at)
  const old = newest.filter(({ at }, place) => at < Date.now() - keptMs || place >= maxKept - 1)
  await Promise.all(old.map(({ path }) => rm(path, { force: true })))
}

/** Returns the time of a file; one that another run has just removed counts as new. */
const writtenAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )
