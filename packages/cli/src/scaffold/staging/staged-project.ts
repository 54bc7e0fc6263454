import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../home/through-draft.ts'
import type { ProjectFile } from '../answers/project-facts.ts'
import { folderProblem } from './folder-problem.ts'
import type { TargetFolder } from './target-folder.ts'

/**
 * Creates the staging folder of a project on the same disk: beside the target, or inside an existing one. Leftovers of
 * a killed run are removed.
 *
 * @throws `folder_not_usable`
 */
export const stageProject = async (target: TargetFolder) => {
  const { within, prefix } = target.staging
  const folder = join(within, `${prefix}${randomBytes(4).toString('hex')}`)
  let firstMade: string | undefined
  const remove = async () => {
    await rm(folder, { recursive: true, force: true })
    if (firstMade !== undefined) await removeEmpty(within, firstMade)
  }
  try {
    firstMade = await mkdir(within, { recursive: true })
    await removeLeftovers(within, prefix)
    await mkdir(folder)
  } catch (error) {
    await remove().catch(() => {})
    throw folderProblem(error, within)
  }
  return {
    folder,
    /** Removes the folder, and the parent folders that were created for it if they are empty. */
    remove,
    /**
     * Writes the files, and syncs them to disk.
     *
     * @param signal Cancels it between two files.
     * @throws `folder_not_usable`, or the reason of the signal
     */
    async write(files: readonly ProjectFile[], signal: AbortSignal): Promise<void> {
      try {
        for (const file of files) {
          signal.throwIfAborted()
          await writeFile(join(folder, file.path), file)
        }
        const folders = new Set(files.map(({ path }) => dirname(join(folder, path))))
        for (const path of [...folders, folder]) await syncFolder(path)
      } catch (error) {
        throw folderProblem(error, within)
      }
    },
  }
}

/** A folder that contains a project before it is moved to its place. */
export type StagedProject = Awaited<ReturnType<typeof stageProject>>

const writeFile = async (path: string, { content, mode = 0o644 }: ProjectFile): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'w', mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

const removeLeftovers = async (within: string, prefix: string): Promise<void> => {
  for (const name of await readdir(within)) {
    if (name.startsWith(prefix)) await rm(join(within, name), { recursive: true, force: true })
  }
}

const removeEmpty = async (from: string, upTo: string): Promise<void> => {
  for (let path = from; path.length >= upTo.length; path = dirname(path)) {
    const removed = await rmdir(path).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}
