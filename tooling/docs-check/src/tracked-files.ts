import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'

/** The paths of the files that Git tracks and that are there, relative to the checkout. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: workspaceRoot, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(workspaceRoot, path)))

/** The text of a file of the checkout. */
export const readTracked = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8')
