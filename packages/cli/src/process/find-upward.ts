import { dirname } from 'node:path'

/** Returns a folder and all folders above it, the nearest first. */
export const foldersFrom = (folder: string): readonly string[] => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)]
}

/** Returns the first result for a folder and those above it. */
export const findUpward = async <Result>(
  folder: string,
  find: (folder: string) => Promise<Result | undefined>,
): Promise<Result | undefined> => {
  for (const one of foldersFrom(folder)) {
    const found = await find(one)
    if (found !== undefined) return found
  }
  return undefined
}
