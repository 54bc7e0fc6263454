import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const member = /^ {2}(?:readonly )?([a-z]\w*)\??(?:<[\w, ]+>)?[:(]/gm
const exported = /^export \{([^}]+)\} from/gm

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Whether a page names something, inside code. */
const names = (page: string, name: string): boolean => new RegExp(`\`[^\`\n]*\\b${name}\\b[^\`\n]*\``).test(page)

/** The members of the interfaces and schemas in a source file that a page does not name. */
export const missingMembers = (page: string, file: string): string[] =>
  [...new Set([...read(file).matchAll(member)].map(([, name = '']) => name))].filter(name => !names(page, name))

/** The values that an index exports and a page does not name. */
export const missingExports = (page: string, file: string): string[] =>
  [...read(file).matchAll(exported)]
    .flatMap(([, list = '']) => list.split(','))
    .map(name => name.trim())
    .filter(name => name !== '' && !name.startsWith('type ') && !names(page, name))
