import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Defence } from '@sibyl/benchmarks/defences'
import { workspaceRoot } from '@sibyl/tooling-source'

/** A temporary checkout of a revision, with its dependencies installed. */
export interface ScratchCheckout extends Disposable {
  readonly root: string
  /**
   * Changes sources; what it returns restores them.
   *
   * @throws Error if a text is not in its file exactly once
   */
  replace(replacements: readonly Pick<Defence, 'file' | 'find' | 'replace'>[]): Disposable
}

/** Creates a checkout outside of the caller's, which never changes. */
export const createScratchCheckout = (revision: string): ScratchCheckout => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-broken-defences-'))
  // A test runs a program of the checkout as another user.
  chmodSync(folder, 0o755)
  const root = join(folder, 'checkout')
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const dispose = () => {
    rmSync(folder, { recursive: true, force: true })
    run('git', ['worktree', 'prune'], workspaceRoot)
  }
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', root, revision], workspaceRoot)
    run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], root)
  } catch (error) {
    dispose()
    throw error
  }
  return {
    root,
    replace(replacements) {
      const originals = new Map<string, string>()
      for (const { file, find, replace } of replacements) {
        const path = join(root, file)
        const text = readFileSync(path, 'utf8')
        const parts = text.split(find)
        if (parts.length !== 2) throw new Error(`${file} contains ${parts.length - 1} times: ${find}`)
        if (!originals.has(path)) originals.set(path, text)
        writeFileSync(path, parts.join(replace))
      }
      return {
        [Symbol.dispose]() {
          for (const [path, text] of originals) writeFileSync(path, text)
        },
      }
    },
    [Symbol.dispose]: dispose,
  }
}
