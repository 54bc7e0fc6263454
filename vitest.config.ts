import { existsSync } from 'node:fs'
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

/** Files that take 13 seconds and more, the longest first. */
const long = [
  'docs/guide/guide.test.ts',
  'console/src/app/twins/twins.test.ts',
  'site/src/site.test.ts',
  'console/src/app/users/users.test.ts',
  'console/src/app/chat/chat.test.ts',
  'core/src/turn/several-processes.test.ts',
  'bundle/src/hostile-clients.test.ts',
  'console/src/app/operations/operations.test.ts',
  'plugins/matrix/src/encrypted-restarts.test.ts',
  'cli/src/commands/dev/dev.test.ts',
  'console/src/app/explorer/explorer.test.ts',
  'console/src/app/chat/long-lists.test.ts',
  'console/src/console.test.ts',
  'console/src/app/phone/flow/flow-view.test.ts',
  'console/src/app/phone/phone-view.test.ts',
  'cli/src/scaffold/web-template.test.ts',
  'oauth/src/sign-in-page.test.ts',
  'core/src/turn/stopping.test.ts',
  'console/src/app/twins/long-tables.test.ts',
  'cli/src/commands/keys/keys.test.ts',
  'console/src/other-pages.test.ts',
  'storage/src/jobs/jobs.test.ts',
  'examples/quickstart/src/main.test.ts',
  'core/src/turn/lost-commits.test.ts',
  'plugins/sandbox/src/hostile-programs.test.ts',
  'bundle/src/boots.test.ts',
  'storage/src/postgres/open-postgres.test.ts',
  'cli/src/commands/env/env.test.ts',
  'console/src/under-a-path.test.ts',
  'adapters/mcp/src/two-processes.test.ts',
  'client/src/rolling-restart.test.ts',
  'core/src/turn/kill-nine.test.ts',
  'plugins/matrix/src/encryption.test.ts',
  'cli/src/bin.test.ts',
  'oauth/src/oauth.test.ts',
  'plugins/matrix/src/hostile/failing-homeserver.test.ts',
]

/**
 * The first four change a module for the whole process, the last counts on an event loop of its own. All others share their
 * processes, file after file: nothing of ours keeps state in modules, and reloading them takes a third of the time.
 */
const alone = [
  'packages/identity/src/ucan/read-token.test.ts',
  'packages/storage/src/sqlite/checkpoint-sync.test.ts',
  'benchmarks/faults/frame/replaced-sources.test.ts',
  'packages/plugins/sandbox/src/code-pool.test.ts',
  'packages/core/src/turn/chaos.test.ts',
]

/** There each file has a process of its own: in a shared one a test once stood still, and why is not known. */
const onNode22 = process.versions.node.startsWith('22.')

/** Begins with the files that take long, so that none of them is left to one worker alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = long.findIndex(file => moduleId.endsWith(file))
      return place < 0 ? long.length : place
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
          include: [
            'packages/**/src/**',
            'benchmarks/**',
            'examples/**',
            'templates/**',
            'tooling/**',
            'docs/**',
            'scripts/**',
            'site/src/**',
          ].map(folder => `${folder}/*.test.ts`),
          // Those need clients that only the command real-clients installs.
          exclude: ['**/node_modules/**', '**/dist/**', 'tooling/real-clients/src/tests/**', ...alone],
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
