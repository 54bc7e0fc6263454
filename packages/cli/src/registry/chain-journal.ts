import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal } from '@sibyl/registry-ixo'
import { openHomeFolder } from '../home/home-folder.ts'
import { replaceFile } from '../home/replace-file.ts'

/**
 * Keeps signed transactions in `chain-journal` of the home, a file a key: a registration that was broken off is sent again
 * as it was, and not made twice.
 */
export const chainJournal = (home: string): Journal => {
  const folder = join(home, 'chain-journal')
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
  return {
    read: key =>
      readFile(pathOf(key), 'utf8').catch(error => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }),
    async write(key, text) {
      await openHomeFolder(folder)
      await replaceFile(pathOf(key), text)
    },
  }
}
