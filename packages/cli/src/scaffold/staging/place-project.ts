import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { cliErrors } from '../../errors/cli-errors.ts'
import { codeOf } from '../../errors/code-of.ts'
import { syncFolder } from '../../home/through-draft.ts'
import { folderProblem } from './folder-problem.ts'
import type { StagedProject } from './staged-project.ts'
import type { TargetFolder } from './target-folder.ts'

export interface PlacedProject {
  /** Relative to the project, with `/`, sorted. */
  readonly written: readonly string[]
  /** Existing files, which stayed unchanged. */
  readonly left: readonly string[]
  /** Entries of an existing `package.json` that stayed, where others were added; undefined if none were. */
  readonly keptEntries?: readonly string[]
  /** The new location of the folder that existed before. */
  readonly movedTo: string | undefined
}

/**
 * Moves a staged project to its place. If that fails, everything is restored.
 *
 * @param time The current time, for the name of a folder that is moved aside.
 * @throws `folder_not_usable`
 */
export const placeProject = async (
  target: TargetFolder,
  staged: StagedProject,
  time = new Date(),
): Promise<PlacedProject> => {
  try {
    const files = await listFiles(staged.folder)
    if (target.kind === 'empty' || target.kind === 'merge') return await fill(target.folder, staged, files)
    const movedTo = target.kind === 'force' ? await moveAside(target.folder, time) : undefined
    try {
      await rename(staged.folder, target.folder)
    } catch (error) {
      if (movedTo !== undefined) await rename(movedTo, target.folder)
      throw error
    }
    await syncFolder(dirname(target.folder))
    return { written: files, left: [], movedTo }
  } catch (error) {
    throw folderProblem(error, target.folder)
  }
}

/**
 * Checks that files can be added to a folder: no file or link is in the place of a required folder.
 *
 * @param paths Relative to the folder, with `/`.
 * @throws `folder_not_usable`
 */
export const checkMerge = async (folder: string, paths: readonly string[]): Promise<void> => {
  const parents = new Set(paths.flatMap(path => parentsOf(path)))
  for (const parent of parents) {
    const found = await lstat(join(folder, parent)).catch(() => undefined)
    if (found === undefined || found.isDirectory()) continue
    const what = found.isSymbolicLink() ? 'a link' : 'a file'
    throw cliErrors.folder_not_usable(
      `${join(folder, parent)} is ${what}; the project needs a folder there.`,
      'Move it away, or choose another folder.',
    )
  }
}

/** Moves the staged files into an existing folder, without changing existing files. */
const fill = async (folder: string, staged: StagedProject, files: readonly string[]): Promise<PlacedProject> => {
  await checkMerge(folder, files)
  const written: string[] = []
  const made: string[] = []
  try {
    for (const path of files) {
      for (const parent of parentsOf(path)) {
        if (await makeFolder(join(folder, parent))) made.push(parent)
      }
      if (await putNew(join(staged.folder, path), join(folder, path))) written.push(path)
    }
    for (const path of new Set(written.map(file => dirname(join(folder, file))))) await syncFolder(path)
  } catch (error) {
    for (const path of written) await rm(join(folder, path), { force: true })
    for (const path of made.toReversed()) await rmdir(join(folder, path)).catch(() => {})
    throw error
  }
  await staged.remove()
  return { written, left: files.filter(path => !written.includes(path)), movedTo: undefined }
}

/** @returns false if the path exists */
const putNew = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to).catch(async error => {
      if (isExisting(error)) throw error
      // Some disks do not support hard links.
      await copyFile(from, to, constants.COPYFILE_EXCL)
    })
    return true
  } catch (error) {
    if (isExisting(error)) return false
    throw error
  }
}

/** @returns false if it exists */
const makeFolder = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (isExisting(error)) return false
    throw error
  }
}

const isExisting = (error: unknown): boolean => codeOf(error) === 'EEXIST'

const moveAside = async (folder: string, time: Date): Promise<string> => {
  const stamp = time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const aside = `${folder}.old-${stamp}`
  const taken = await lstat(aside).catch(() => undefined)
  if (taken) throw cliErrors.folder_not_usable(`${aside} already exists.`, 'Run the command again in a second.')
  await rename(folder, aside)
  return aside
}

const listFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => !entry.isDirectory())
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')).sort()
}

const parentsOf = (path: string): readonly string[] => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, place) => parts.slice(0, place + 1).join('/'))
}
