import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { tasksEnv } from './tasks-env.ts'

/**
 * Work for later: once, or again and again.
 *
 * @example
 * await createOracleApp({ config, plugins: [tasks()] })
 */
export const tasks = () =>
  definePlugin({
    name: 'tasks',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: tasksEnv,
    uses: ['user-preferences', 'sms', 'matrix'],
    setup: () => ({}),
  })
