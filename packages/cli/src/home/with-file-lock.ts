import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../errors/code-of.ts'

/**
 * A lock that is held longer belongs to a killed process, in milliseconds: reading and writing one file takes a few.
 */
const longestTurnMs = 5_000
const betweenTriesMs = 10

/**
 * Locks a file for a read-modify-write; concurrent commands run one after the other.
 *
 * @param path Of the file, whose folder exists.
 */
export const withFileLock = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
  const turn = `${path}.turn`
  while (!(await acquire(turn))) {
    if (await isOver(turn)) await rm(turn, { force: true })
    else await pause(betweenTriesMs)
  }
  try {
    return await work()
  } finally {
    await rm(turn, { force: true })
  }
}

const acquire = async (turn: string): Promise<boolean> => {
  try {
    await (await open(turn, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

const isOver = async (turn: string): Promise<boolean> => {
  const facts = await stat(turn).catch(() => undefined)
  return facts !== undefined && Math.abs(Date.now() - facts.mtimeMs) > longestTurnMs
}
