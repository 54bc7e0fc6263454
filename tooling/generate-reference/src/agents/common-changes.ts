/** A common change, with the files to open first. */
export interface CommonChange {
  readonly change: string
  /** Relative to the checkout; a test checks that each exists. */
  readonly files: readonly string[]
  /** The command to run afterwards. */
  readonly after: string
}

/** The changes for which AGENTS.md says where to begin. */
export const commonChanges: readonly CommonChange[] = [
  {
    change: 'a plugin',
    files: [
      'docs/guide/write-a-plugin.md',
      'packages/plugins/weather/src/weather.ts',
      'packages/bundle/src/bundled-plugins.ts',
      'tsconfig.json',
    ],
    after: 'check',
  },
  {
    change: 'a route',
    files: [
      'packages/plugins/weather/src/weather-now-route.ts',
      'packages/core/src/http/usage-route.ts',
      'packages/core/src/http/core-routes.ts',
    ],
    after: 'reference',
  },
  {
    change: 'an error',
    files: ['packages/plugins/weather/src/weather-errors.ts', 'docs/reference/errors.md'],
    after: 'reference',
  },
  {
    change: 'a variable',
    files: ['packages/plugins/weather/src/weather.ts', 'packages/core/src/config/core-env.ts'],
    after: 'reference',
  },
  {
    change: 'a command of `sibyl`',
    files: [
      'packages/cli/src/commands/whoami/whoami-command.ts',
      'packages/cli/src/commands/whoami/whoami.ts',
      'packages/cli/src/commands/command-groups.ts',
    ],
    after: 'reference',
  },
]
