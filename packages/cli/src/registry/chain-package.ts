import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cliErrors } from '../errors/cli-errors.ts'
import { shellWord } from '../output/format.ts'
import { detectPackageManager } from '../package-manager/detect-package-manager.ts'
import { ownVersion } from '../process/own-version.ts'
import type { Project } from '../project/project.ts'
import type { Network } from './registry-node.ts'

/** The optional chain package. */
type ChainPackage = typeof import('@sibyl/registry-ixo')

const packageName = '@sibyl/registry-ixo'

/**
 * Loads the chain package: that of the project, else the one beside this command.
 *
 * @throws `configuration_invalid` with the command that installs it, if it is missing
 */
export const loadChainPackage = async (
  network: Network,
  project: Pick<Project, 'folder'> | undefined,
): Promise<ChainPackage> => {
  const path = project && resolveFrom(project.folder)
  try {
    return await (path === undefined ? import('@sibyl/registry-ixo') : import(pathToFileURL(path).href))
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    const message = `The ${network} requires the package ${packageName}, which is not installed.`
    throw cliErrors.configuration_invalid(message, `Install it: ${await installCommand(project?.folder)}`, { cause })
  }
}

const resolveFrom = (folder: string): string | undefined => {
  try {
    return createRequire(join(folder, 'package.json')).resolve(packageName)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')

/**
 * Returns the command that installs the package.
 *
 * @param project The folder of the project, if any.
 * @param own The folder of this command.
 */
export const installCommand = async (project: string | undefined, own = import.meta.dirname): Promise<string> => {
  const version = await ownVersion()
  const wanted = `${packageName}@${version}`
  const add = async (folder: string) => {
    const manager = await detectPackageManager(join(folder, 'package.json'), {})
    return `${manager} ${manager === 'npm' ? 'install' : 'add'} ${wanted}`
  }
  if (project !== undefined) return add(project)
  const parts = own.split(sep)
  if (parts.includes('_npx')) return `npx --package @sibyl/cli@${version} --package ${wanted} sibyl …`
  const home = parts.slice(0, Math.max(0, parts.indexOf('node_modules'))).join(sep)
  const isLocal = home !== '' && existsSync(join(home, 'package.json'))
  return isLocal ? `cd ${shellWord(home)} && ${await add(home)}` : `npm install --global ${wanted}`
}
