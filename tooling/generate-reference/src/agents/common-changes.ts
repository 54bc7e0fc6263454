/** A common change, with the files to open first. */
export interface CommonChange {
  readonly change: string
  /** Relative to the checkout; a test checks that each exists. */
  readonly files: readonly string[]
}

/** The changes for which AGENTS.md says where to begin. */
export const commonChanges: readonly CommonChange[] = [
  {
    change: 'a plugin',
    files: [
      'docs/guide/write-a-plugin.md',
      'packages/plugins/weather/src/weather.ts',
      'packages/plugins/weather/package.json',
      'packages/bundle/src/bundled-plugins.ts',
      'tsconfig.json',
    ],
  },
  {
    change: 'a route',
    files: [
      'packages/plugins/weather/src/weather-now-route.ts',
      'packages/core/src/http/usage-route.ts',
      'packages/core/src/boot/make-http.ts',
    ],
  },
  {
    change: 'an error',
    files: ['packages/plugins/weather/src/weather-errors.ts', 'docs/reference/errors.md'],
  },
  {
    change: 'a variable',
    files: ['packages/plugins/weather/src/weather.ts', 'packages/core/src/config/core-env.ts'],
  },
  {
    change: 'a command of `sibyl`',
    files: [
      'packages/cli/src/commands/whoami/whoami-command.ts',
      'packages/cli/src/commands/whoami/whoami.ts',
      'packages/cli/src/commands/command-groups.ts',
    ],
  },
]
