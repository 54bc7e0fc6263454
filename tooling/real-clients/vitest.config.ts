import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['sibyl-source'] },
  ssr: { resolve: { conditions: ['sibyl-source'] } },
  test: {
    include: ['src/tests/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--conditions=sibyl-source'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    env: { NO_COLOR: '1', DO_NOT_TRACK: '1' },
  },
})
