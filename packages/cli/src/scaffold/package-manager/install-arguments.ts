import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJson } from '../../home/parse-json.ts'
import type { PackageManager } from '../scaffold-answers.ts'

/**
 * What a package manager is called with to install a project. In a folder below an npm workspace npm would install for all
 * of it, with nothing from the project's `vendor/`; the other ones know a project of its own by its files.
 *
 * @param folder The project's, absolute.
 */
export const installArguments = async (folder: string, manager: PackageManager): Promise<readonly string[]> =>
  manager === 'npm' && (await isBelowWorkspace(dirname(folder))) ? ['install', '--no-workspaces'] : ['install']

const isBelowWorkspace = async (folder: string): Promise<boolean> => {
  const manifest = parseJson(await readFile(join(folder, 'package.json'), 'utf8').catch(() => ''))
  if (typeof manifest === 'object' && manifest !== null && 'workspaces' in manifest) return true
  const parent = dirname(folder)
  return parent !== folder && isBelowWorkspace(parent)
}
