import { open } from 'node:fs/promises'

/** Makes the names of files in a folder durable; where folders cannot be synced, the file system sees to it. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
