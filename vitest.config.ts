import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['sibyl-source'] },
  ssr: { resolve: { conditions: ['sibyl-source'] } },
  test: {
    include: [
      'packages/**/src/**/*.test.ts',
      'examples/**/*.test.ts',
      'tooling/**/*.test.ts',
      'docs/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    maxWorkers: 3,
    maxConcurrency: 20,
    execArgv: ['--conditions=sibyl-source'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    env: { NO_COLOR: '1' },
  },
})
