import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { smsEnv } from './sms-env.ts'

/**
 * SMS, out and in.
 *
 * @example
 * await createOracleApp({ config, plugins: [sms()] })
 */
export const sms = () =>
  definePlugin({
    name: 'sms',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: smsEnv,
    optIn: ['SMS_PROVIDER'],
    uses: ['user-preferences'],
    setup: () => ({}),
  })
