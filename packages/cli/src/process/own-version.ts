import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Returns the version of this command, which all @sibyl packages share.
 *
 * @param folder Of this module; the nearest `package.json` above it is that of the command.
 */
export const ownVersion = async (folder = import.meta.dirname): Promise<string> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  return text === undefined ? ownVersion(dirname(folder)) : (JSON.parse(text) as { version: string }).version
}
