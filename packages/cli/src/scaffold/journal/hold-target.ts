import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FolderNotUsableError } from '../../errors/folder-not-usable-error.ts'
import { openHomeFolder } from '../../home/home-folder.ts'
import { writeNewFile } from '../../home/write-new-file.ts'
import { nameOf, unfinishedFolder } from './scaffold-journal.ts'

/**
 * Keeps the target for this run: of two at once the second is refused. A run that was killed holds nothing.
 *
 * @param target The project's folder, absolute.
 * @returns what lets go of it
 * @throws FolderNotUsableError (`folder_not_usable`) while another run has it
 */
export const holdTarget = async (
  target: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<() => Promise<void>> => {
  const folder = unfinishedFolder(env)
  await openHomeFolder(folder)
  const path = join(folder, `${nameOf(target)}.lock`)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await writeNewFile(path, `${process.pid}\n`)) return () => rm(path, { force: true })
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (Number.isInteger(holder) && holder > 0 && isRunning(holder)) throw heldBy(holder, target, path)
    await dropStale(path, holder)
  }
  throw heldBy(0, target, path)
}

/** Moves a stale lock away; a fresh one, which somebody has put there meanwhile, comes back. */
const dropStale = async (path: string, holder: number): Promise<void> => {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
    if (Number(await readFile(aside, 'utf8')) !== holder) await link(aside, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST')))
      throw error
  } finally {
    await rm(aside, { force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const heldBy = (pid: number, target: string, path: string): FolderNotUsableError =>
  new FolderNotUsableError(
    `Another sibyl new${pid > 0 ? ` (process ${pid})` : ''} is making the project in ${target}.`,
    `Wait for its end. If there is none, delete ${path}.`,
  )
