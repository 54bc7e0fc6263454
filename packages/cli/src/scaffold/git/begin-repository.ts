import { execFile } from 'node:child_process'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../../errors/code-of.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { findUpward } from '../../process/find-upward.ts'

/** The result of creating a git repository. */
export type RepositoryOutcome =
  | { readonly kind: 'begun' }
  /** The folder is already in a repository. */
  | { readonly kind: 'inside'; readonly repository: string }
  | { readonly kind: 'no-git' }
  | { readonly kind: 'failed'; readonly reason: string }

const timeLimitMs = 10_000

/** Creates a git repository in a folder, unless it is in one already or git is not installed. Never fails. */
export const beginRepository = async (folder: string, env: CommandIo['env']): Promise<RepositoryOutcome> => {
  const repository = await repositoryAround(folder)
  if (repository !== undefined) return { kind: 'inside', repository }
  try {
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder, env: ownEnv(env), timeout: timeLimitMs })
    return { kind: 'begun' }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'no-git' }
    return { kind: 'failed', reason: cleanLine(reasonOf(error)) }
  }
}

/** Removes variables of git that would select another repository, as in a hook. */
const ownEnv = (env: CommandIo['env']): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))

const reasonOf = (error: unknown): string => {
  const { stderr } = error as { readonly stderr?: unknown }
  const last = String(stderr ?? '')
    .trim()
    .split('\n')
    .at(-1)
  return last || (error instanceof Error ? error.message : String(error))
}

const repositoryAround = (folder: string): Promise<string | undefined> =>
  findUpward(folder, one =>
    lstat(join(one, '.git')).then(
      () => one,
      () => undefined,
    ),
  )
