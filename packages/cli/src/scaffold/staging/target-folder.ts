import { createHash } from 'node:crypto'
import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, join, relative, sep } from 'node:path'
import { cliErrors } from '../../errors/cli-errors.ts'
import { ignoreMissing } from '../../errors/code-of.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { folderProblem } from './folder-problem.ts'

export interface ExistingFolderOptions {
  /** Add missing files, and change nothing else. */
  readonly merge?: boolean
  readonly force?: boolean
}

/** Folders that a command depends on; absolute. */
interface Surroundings {
  readonly cwd: string
  /** The folder with the data of this user. */
  readonly home: string
}

export interface TargetFolder {
  /** Absolute, with links resolved. */
  readonly folder: string
  /** `new`: does not exist. `empty`: contains nothing, or only `.git`. */
  readonly kind: 'new' | 'empty' | 'merge' | 'force'
  /** The current names in it. */
  readonly entries: readonly string[]
  /** The prefix of the staging folders of this target, and their folder. */
  readonly staging: { readonly within: string; readonly prefix: string }
}

/**
 * Inspects the folder of a new project, without changes.
 *
 * @param path Absolute.
 * @param surroundings Folders that must not move.
 * @throws `folder_not_usable` when a project cannot be created there
 */
export const targetFolder = async (
  path: string,
  options: ExistingFolderOptions,
  surroundings: Surroundings,
): Promise<TargetFolder> => {
  try {
    const found = await check(path, options, surroundings)
    demandRunnable(found.folder)
    return found
  } catch (error) {
    throw folderProblem(error, path)
  }
}

/** Rejects folders in which Node does not run a project, or a package manager does not find its programs. */
const demandRunnable = (folder: string): void => {
  const other = 'Choose another folder.'
  if (folder.split(sep).includes('node_modules')) {
    throw cliErrors.folder_not_usable(`${folder} is inside a node_modules, where Node does not run TypeScript.`, other)
  }
  if (folder.includes(delimiter)) {
    throw cliErrors.folder_not_usable(
      `${folder} contains '${delimiter}', which breaks the PATH of package managers.`,
      other,
    )
  }
}

const check = async (
  path: string,
  { merge, force }: ExistingFolderOptions,
  { cwd, home }: Surroundings,
): Promise<TargetFolder> => {
  const found = await stat(path).catch(ignoreMissing)
  if (found === undefined) {
    const link = await readlink(path).catch(() => undefined)
    if (link !== undefined) {
      throw cliErrors.folder_not_usable(
        `${path} is a link to ${link}, which does not exist.`,
        'Delete it, or name another folder.',
      )
    }
    return target(await realParent(path), 'new', [])
  }
  if (!found.isDirectory())
    throw cliErrors.folder_not_usable(`${path} is a file.`, 'Delete it, or name another folder.')
  const folder = await realpath(path)
  const prefix = stagingPrefix(folder, false)
  const entries = (await readdir(folder)).filter(name => !name.startsWith(prefix))
  if (entries.every(name => name === '.git')) return target(folder, 'empty', entries)
  if (merge) return target(folder, 'merge', entries)
  if (!force) throw notEmpty(path, entries)
  if (isWithin(await realPath(cwd), folder)) {
    throw cliErrors.folder_not_usable(
      `You are inside ${path}, which --force would move aside.`,
      'Run it from the folder above: cd ..',
    )
  }
  if (isWithin(await realPath(home), folder)) {
    throw cliErrors.folder_not_usable(
      `${path} contains your keys, in ${home}; --force would move them aside.`,
      'Choose another folder.',
    )
  }
  return target(folder, 'force', entries)
}

const target = (folder: string, kind: TargetFolder['kind'], entries: readonly string[]): TargetFolder => {
  const beside = kind === 'new' || kind === 'force'
  return {
    folder,
    kind,
    entries,
    staging: { within: beside ? dirname(folder) : folder, prefix: stagingPrefix(folder, beside) },
  }
}

const notEmpty = (path: string, entries: readonly string[]): CommandError => {
  const some = [...entries].sort().slice(0, 3).join(', ')
  const more = entries.length > 3 ? ` and ${entries.length - 3} more` : ''
  return cliErrors.folder_not_usable(
    `${path} is not empty: ${some}${more}.`,
    'Choose another folder; or add only missing files: --merge; or move it aside: --force.',
  )
}

/** Resolves the links of the path of a target, as far as it exists. Throws `folder_not_usable`. */
export const realTarget = (path: string): Promise<string> =>
  realPath(path).catch(error => {
    throw folderProblem(error, path)
  })

/** Resolves the links of a path, as far as it exists. */
const realPath = async (path: string): Promise<string> =>
  (await realpath(path).catch(ignoreMissing)) ?? realParent(path)

const realParent = async (path: string): Promise<string> => {
  const parent = dirname(path)
  return parent === path ? path : join(await realPath(parent), basename(path))
}

const stagingPrefix = (folder: string, beside: boolean): string => {
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 8)
  return `${beside ? `.${shorten(basename(folder))}` : ''}.sibyl-${mark}-`
}

/** Shortens a name to the limit of a disk (255 bytes) in any alphabet. */
const shorten = (name: string): string => [...name].slice(0, 40).join('')

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`))
}
