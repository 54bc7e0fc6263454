import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandIo } from '../process/command-io.ts'
import { foldersFrom } from '../process/find-upward.ts'

/** The supported package managers. */
export const packageManagers = ['npm', 'pnpm', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

const lockfiles: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
]

/**
 * Detects the package manager of a project: the one that ran this command, else the one whose lockfile is in a parent
 * folder, else npm.
 *
 * @param folder That of the project, absolute; it may not exist yet.
 */
export const detectPackageManager = async (folder: string, env: CommandIo['env']): Promise<PackageManager> => {
  const caller = env.npm_config_user_agent?.split('/')[0]
  return packageManagers.find(name => name === caller) ?? byLockfile(dirname(folder)) ?? 'npm'
}

const byLockfile = (folder: string): PackageManager | undefined =>
  foldersFrom(folder)
    .flatMap(one => lockfiles.filter(([file]) => existsSync(join(one, file))))
    .at(0)?.[1]
