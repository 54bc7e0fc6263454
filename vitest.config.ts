import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Makes the folder in which test files leave each other a PostgreSQL cluster. */
const postgresTemplates = fileURLToPath(new URL('packages/storage/src/testing/postgres-templates.ts', import.meta.url))

/** Files that take ten seconds and more, the longest first. */
const long = [
  'docs/guide/guide.test.ts',
  'core/src/turn/several-processes.test.ts',
  'docs/types.test.ts',
  'quickstart/src/main.test.ts',
  'core/src/turn/lost-commits.test.ts',
  'cli/src/commands/new/new-process.test.ts',
  'cli/src/commands/env/env.test.ts',
  'client/src/rolling-restart.test.ts',
  'cli/src/commands/dev/dev.test.ts',
  'storage/src/crash.test.ts',
  'cli/src/delegated-access.test.ts',
  'core/src/turn/kill-nine.test.ts',
  'docs/reference/plugin-api.test.ts',
  'cli/src/bin.test.ts',
  'cli/src/keystore/keystore.test.ts',
  'storage/src/postgres/open-postgres.test.ts',
  'storage/src/postgres/session-pooling.test.ts',
  'core/src/turn/stopping.test.ts',
  'bundle/src/no-secret-leaves.test.ts',
  'storage/src/jobs/jobs.test.ts',
  'cli/src/commands/plugin/list-plugins.test.ts',
  'plugins/matrix/src/restarts.test.ts',
  'sandbox/src/hostile-programs.test.ts',
  'core/src/plugins/contained-hooks.test.ts',
  'cli/src/commands/doctor/doctor.test.ts',
  'core/src/turn/raced-processes.test.ts',
  'bundle/src/boots.test.ts',
  'cli/src/signing/signing-browser.test.ts',
  'field-office/src/main.test.ts',
  'bundle/src/examples.test.ts',
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
    pool: 'forks',
    // Workspaces of the guide's tests copy this file without the packages.
    globalSetup: [postgresTemplates].filter(existsSync),
    maxWorkers: 4,
    maxConcurrency: 20,
    sequence: { sequencer: LongestFirst },
    execArgv: ['--conditions=sibyl-source'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    env: { NO_COLOR: '1' },
  },
})
