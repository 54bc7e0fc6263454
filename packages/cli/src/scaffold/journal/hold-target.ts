import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cliErrors } from '../../errors/cli-errors.ts'
import { codeOf } from '../../errors/code-of.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { openHomeFolder } from '../../home/home-folder.ts'
import { writeNewFile } from '../../home/through-draft.ts'
import { nameOf, unfinishedFolder } from './scaffold-journal.ts'

/**
 * Keeps the target for this run: of two at once the second is refused. A run that was killed holds nothing.
 *
 * @param target The project's folder, absolute.
 * @returns what lets go of it
 * @throws `folder_not_usable` while another run has it
 */
export const holdTarget = async (
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
    if (Number.isInteger(holder) && holder > 0 && (await isRunning(holder, start))) throw heldBy(holder, target, path)
    await dropStale(path, text)
  }
  throw heldBy(0, target, path)
}

/** Removes a stale lock; one at a time, so that nobody removes the fresh one of who was faster. */
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

/** @param start What `startOf` said of it: another process may have its number by now. */
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
 * When a process began, in ticks of the system's clock, where the system tells (proc(5)). One that has ended keeps its
 * number until its parent has looked, which the first process of a container may never do.
 */
const startOf = async (pid: number): Promise<number | 'ended' | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const [state, ...more] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  if (state === 'Z' || state === 'X') return 'ended'
  return state === undefined ? undefined : Number(more[18])
}

const heldBy = (pid: number, target: string, path: string): CommandError =>
  cliErrors.folder_not_usable(
    `Another sibyl new${pid > 0 ? ` (process ${pid})` : ''} is creating the project in ${target}.`,
    `Wait until it ends. If it no longer runs, delete ${path}.`,
  )
