import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cliErrors } from '../../errors/cli-errors.ts'
import { codeOf } from '../../errors/code-of.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { openHomeFolder } from '../../home/home-folder.ts'
import { writeNewFile } from '../../home/through-draft.ts'
import { nameOf, unfinishedFolder } from './scaffold-journal.ts'

/**
 * Locks the target for this run: the second of two concurrent runs is rejected. A killed run does not hold the lock.
 *
 * @param target The folder of the project, absolute.
 * @returns the release
 * @throws `folder_not_usable` while another run has it
 */
export const lockTarget = async (
  target: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<() => Promise<void>> => {
  const folder = unfinishedFolder(env)
  await openHomeFolder(folder)
  const path = join(folder, `${nameOf(target)}.lock`)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await writeNewFile(path, `${process.pid} ${(await startOf(process.pid)) ?? ''}\n`))
      return () => rm(path, { force: true })
    const text = await readFile(path, 'utf8').catch(() => '')
    const [holder = 0, start] = text.trim().split(' ').map(Number)
    if (Number.isInteger(holder) && holder > 0 && (await isRunning(holder, start))) throw lockedBy(holder, target, path)
    await dropStale(path, text)
  }
  throw lockedBy(0, target, path)
}

/** Removes a stale lock; one process at a time, so that none removes the new lock of another. */
const dropStale = async (path: string, stale: string): Promise<void> => {
  const turn = `${path}.turn`
  if (!(await writeNewFile(turn, ''))) return
  try {
    const now = await readFile(path, 'utf8').catch(() => undefined)
    if (now === stale) await rm(path, { force: true })
  } finally {
    await rm(turn, { force: true })
  }
}

/** @param start The value of `startOf` for it: another process may have its number now. */
const isRunning = async (pid: number, start: number | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const startNow = await startOf(pid)
  return startNow !== 'ended' && (!start || startNow === undefined || startNow === start)
}

/**
 * Returns when a process started, in ticks of the system clock, if the system provides it (proc(5)). An exited process
 * keeps its number until its parent has reaped it, which the first process of a container may never do.
 */
const startOf = async (pid: number): Promise<number | 'ended' | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const [state, ...more] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  if (state === 'Z' || state === 'X') return 'ended'
  return state === undefined ? undefined : Number(more[18])
}

const lockedBy = (pid: number, target: string, path: string): CommandError =>
  cliErrors.folder_not_usable(
    `Another sibyl new${pid > 0 ? ` (process ${pid})` : ''} is creating the project in ${target}.`,
    `Wait until it ends. If it no longer runs, delete ${path}.`,
  )
