import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Offers the test files one PostgreSQL. */
const postgresForRun = fileURLToPath(new URL('packages/storage/src/testing/postgres-for-run.ts', import.meta.url))

/** Bundles the programs that test files start. */
const programsForRun = fileURLToPath(new URL('packages/testing/src/programs-for-run.test.helper.ts', import.meta.url))

/** The browser of the tests. The headless shell needs a third of the processor time of Chromium for a page. */
const chromiumPath = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find(path => path !== '' && existsSync(path))

/** A file for the results as JSON, which `.ci/run` counts. */
const report = process.env.SIBYL_TEST_REPORT

/** Files that take 13 seconds and more without their long tests, the longest first. */
const slowest = [
  'docs/guide/guide.test.ts',
  'console/src/app/users/users.test.ts',
  'console/src/console.test.ts',
  'storage/src/jobs/jobs.test.ts',
  'console/src/app/chat/chat.test.ts',
  'bundle/src/hostile-clients.test.ts',
  'core/src/turn/kill-nine.test.ts',
  'cli/src/commands/dev/dev.test.ts',
  'bundle/src/database-schema.test.ts',
  'cli/src/commands/keys/keys.test.ts',
  'tooling/import-arrows/src/import-arrows.test.ts',
  'tooling/mcp-conformance/src/conformance.test.ts',
  'cli/src/scaffold/web-template.test.ts',
  'cli/src/commands/plugin/list-plugins.test.ts',
  'tooling/code-metrics/src/budget.test.ts',
  'examples/quickstart/src/main.test.ts',
  'adapters/ag-ui/src/ag-ui.test.ts',
  'adapters/mcp/src/two-processes.test.ts',
  'oauth/src/oauth.test.ts',
  'create-sibyl/src/bin.test.ts',
  'cli/src/commands/backup/backup.test.ts',
  'cli/src/registry/chain-node.test.ts',
  'cli/src/commands/console/first-day.test.ts',
  'storage/src/sqlite/open-sqlite.test.ts',
]

/**
 * The first four change a module for the whole process, the fifth counts on an event loop of its own, and the last on timers that
 * no wait of another file advances. All others share their processes, file after file: nothing of ours keeps state in modules, and
 * reloading them takes a third of the time.
 */
const alone = [
  'packages/identity/src/ucan/read-token.test.ts',
  'packages/storage/src/sqlite/checkpoint-sync.test.ts',
  'benchmarks/faults/frame/replaced-sources.test.ts',
  'packages/plugins/sandbox/src/code-pool.test.ts',
  'packages/core/src/turn/chaos.test.ts',
  'packages/plugin/src/time/time.test.ts',
]

const testFiles = [
  'packages/**/src/**',
  'benchmarks/**',
  'examples/**',
  'templates/**',
  'tooling/**',
  'docs/**',
  'scripts/**',
  'site/src/**',
].map(folder => `${folder}/*.test.ts`)

/** Files without a test for the command. Vitest would load them, and what they start at once would be ended by no hook. */
const leftOut = (filter = process.argv.find(argument => argument.startsWith('--tags-filter='))): string[] => {
  if (filter === undefined) return []
  const isLeftOut = (text: string) =>
    filter.endsWith('=long') ? !/tags\b.*'long'|@module-tag long/.test(text) : text.includes('@module-tag long')
  return globSync(testFiles).filter(file => isLeftOut(readFileSync(file, 'utf8')))
}

/** There each file has a process of its own: in a shared one a test once stood still, and why is not known. */
const onNode22 = process.versions.node.startsWith('22.')

/** Begins with the files that take long, so that none of them is left to one worker alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex(file => moduleId.endsWith(file))
      return place < 0 ? slowest.length : place
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  resolve: { conditions: ['sibyl-source'] },
  ssr: { resolve: { conditions: ['sibyl-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: { label: 'shared', color: 'cyan' },
          include: testFiles,
          // Those need clients that only the command real-clients installs.
          exclude: ['**/node_modules/**', '**/dist/**', 'tooling/real-clients/src/tests/**', ...alone, ...leftOut()],
          isolate: onNode22,
        },
      },
      { extends: true, test: { name: { label: 'alone', color: 'cyan' }, include: alone } },
    ],
    reporters: ['default', ...(report ? [['json', { outputFile: report }] as const] : [])],
    tags: [{ name: 'long', description: 'Left to the command test:long.' }],
    pool: 'forks',
    globalSetup: [postgresForRun, programsForRun],
    maxWorkers: 4,
    maxConcurrency: 20,
    sequence: { sequencer: LongestFirst },
    execArgv: ['--conditions=sibyl-source'],
    // They end what hangs. A test has no limit of its own: a busy machine takes several times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Not for runs that tests start.
    env: { SIBYL_TEST_REPORT: '', NO_COLOR: '1', ...(chromiumPath && { CHROMIUM_PATH: chromiumPath }) },
  },
})
