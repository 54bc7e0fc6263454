import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findPackages, workspaceRoot } from '@sibyl/tooling-source'
import { measurePages, measureProject } from './measure-project.ts'
import { measureSources } from './measure-sources.ts'
import type { Measurements } from './measurements.ts'

/** Measures everything that `tooling/budget.json` limits. Builds the console unless a build of its sources exists. */
export const measureWorkspace = (): Measurements => ({
  ...measureSources(findPackages()),
  'files of core that run': Object.fromEntries(
    Object.entries(JSON.parse(runNode('tooling/code-metrics/src/request-files.ts')) as Record<string, string[]>).map(
      ([request, files]) => [request, files.length],
    ),
  ),
  'bytes of pages': Object.fromEntries(
    ['AGENTS.md', 'docs/guide', 'docs/decisions'].map(path => [path, measurePages(workspaceRoot, path)]),
  ),
  'production dependencies of a new project': measureProject(workspaceRoot),
  console: { 'first scripts, kB': firstScripts(runNode('scripts/build-console.mjs')) },
})

/** Runs a program of the checkout and returns its output. */
const runNode = (path: string): string =>
  execFileSync(process.execPath, ['--conditions=sibyl-source', '--no-warnings', join(workspaceRoot, path)], {
    cwd: workspaceRoot,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'development', LOG_LEVEL: 'error' },
  })

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

/** Returns the compressed size of the scripts that the console's page loads before anything else. */
const firstScripts = (build: string): number => {
  const manifest = JSON.parse(readFileSync(join(build, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const follow = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(follow)
  }
  for (const [key, { isEntry, name }] of Object.entries(manifest)) if (isEntry || name === 'first') follow(key)
  return Math.ceil([...files].reduce((sum, file) => sum + statSync(join(build, `${file}.br`)).size, 0) / 1000)
}
