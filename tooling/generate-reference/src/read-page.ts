import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'

/** Reads a committed page. @param path Relative to the checkout. */
export const readPage = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8')
