import { randomBytes } from 'node:crypto'
import type { BootError } from '@sibyl/plugin'
import type { FilesStorage } from '../definitions/files-tables.ts'

/** Where the contents of a database are, and the marks there. */
export interface MarkedPlace {
  has(mark: string): Promise<boolean>
  add(mark: string): Promise<void>
  remove(mark: string): Promise<void>
  /** Creates the error of a place without the mark. */
  differs(mark: string): BootError
}

/** Name of the empty file that identifies a place, because two machines may mount one folder under different paths. */
export const markName = (mark: string): string => `.folder-${mark}`

/**
 * Checks that all processes on a database use the same place. The first one writes a file with a random name and stores the name in
 * the database; the place of every other process must contain that file.
 *
 * @throws BootError `files_folder_differs`
 */
export const claimContents = async (storage: FilesStorage, place: MarkedPlace): Promise<void> => {
  const mark = (await markOf(storage)) ?? (await proposeMark(storage, place))
  if (!(await place.has(mark))) throw place.differs(mark)
}

const markOf = async ({ read }: FilesStorage): Promise<string | undefined> => {
  const { mark } = await read.selectFrom('files_store').select('mark').executeTakeFirstOrThrow()
  return mark ?? undefined
}

/** Writes a mark, then stores it; returns the database's mark, which another process may have set first. */
const proposeMark = async (storage: FilesStorage, place: MarkedPlace): Promise<string> => {
  const own = randomBytes(8).toString('hex')
  await place.add(own)
  await storage.write(tx =>
    tx.updateTable('files_store').set({ mark: own }).where('mark', 'is', null).executeTakeFirst(),
  )
  const mark = (await markOf(storage)) ?? own
  if (mark !== own) await place.remove(own).catch(() => {})
  return mark
}
