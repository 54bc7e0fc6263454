import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../home/through-draft.ts'
import type { ProjectFile } from '../answers/project-facts.ts'
import { folderProblem } from './folder-problem.ts'
import type { TargetFolder } from './target-folder.ts'

/** A folder in which a project is put together, before it is where it belongs. */
export interface StagedProject {
  readonly folder: string
  /**
   * Writes the files, and waits until they are on disk; what it wrote before and is the same is not written again.
   *
   * @param signal Ends it between two files.
   * @throws `folder_not_usable`, or the signal's reason
   */
  write(files: readonly ProjectFile[], signal: AbortSignal): Promise<void>
  /** Removes the folder, and the folders above it that were made for it, where nothing else came into them. */
  remove(): Promise<void>
}

/**
 * Makes the folder in which a project is put together: beside the target, or inside it where it is there already, so that
 * it is on the same disk. What an earlier run that was killed left there is removed.
 *
 * @throws `folder_not_usable`
 */
export const stageProject = async (target: TargetFolder): Promise<StagedProject> => {
  const { within, prefix } = target.staging
  const folder = join(within, `${prefix}${randomBytes(4).toString('hex')}`)
  const onDisk = new Map<string, ProjectFile['content']>()
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
    remove,
    async write(files, signal) {
      try {
        const changed = files.filter(({ path, content }) => !isSame(content, onDisk.get(path)))
        for (const file of changed) {
          signal.throwIfAborted()
          await writeFile(join(folder, file.path), file)
          onDisk.set(file.path, file.content)
        }
        const folders = new Set(changed.map(({ path }) => dirname(join(folder, path))))
        for (const path of [...folders, folder]) await syncFolder(path)
      } catch (error) {
        throw folderProblem(error, within)
      }
    },
  }
}

const isSame = (content: ProjectFile['content'], before: ProjectFile['content'] | undefined): boolean =>
  before !== undefined && Buffer.from(content).equals(Buffer.from(before))

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
