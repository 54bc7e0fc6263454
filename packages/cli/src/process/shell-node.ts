import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import type { CommandIo } from './command-io.ts'
import { oldNode } from './node-version.ts'

/**
 * Returns the Node that a shell runs, if it is too old for a project: the first on the PATH outside of `node_modules`.
 * This command may run on another one, such as that of a clone.
 *
 * @returns its version, such as 20.20.2
 */
export const oldShellNode = ({ PATH = '' }: CommandIo['env']): string | undefined => {
  const nodes = PATH.split(delimiter)
    .filter(folder => folder !== '' && !folder.split(sep).includes('node_modules'))
    .map(folder => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  const node = nodes.find(existsSync)
  if (node === undefined) return undefined
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000 })
  const [, version] = /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '') ?? []
  return version !== undefined && oldNode(version) ? version : undefined
}
