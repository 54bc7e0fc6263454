import { definePlugin, type OraclePlugin } from '@sibyl/plugin'

/**
 * The routes of the operator, with alerts and the log: a part of core by the contract of plugins. `bundledAdapters()` contains
 * it.
 *
 * @example
 * await createOracleApp({ plugins: [weather()], adapters: [operations()] })
 */
export const operations = (): OraclePlugin => ({
  ...definePlugin({
    name: 'operations',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Operations',
      summary: 'Shows the operator the state, the jobs, the log and the turns of the oracle.',
      whenToUse: ['the operator reads the state of the oracle'],
    },
    async setup(host) {
      const { setUpOperations } = await import('./set-up-operations.ts')
      return setUpOperations(host)
    },
  }),
  isPartOfCore: true,
})
