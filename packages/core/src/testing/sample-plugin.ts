import { definePlugin, type OraclePlugin } from '@sibyl/plugin'

/**
 * A plugin that does nothing, to be changed where a test needs it.
 *
 * @example samplePlugin('sms', { requires: ['ussd'] })
 */
export const samplePlugin = (name: string, overrides: Partial<Omit<OraclePlugin, 'name'>> = {}): OraclePlugin => ({
  ...definePlugin({
    name,
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: name, summary: `What ${name} does.`, whenToUse: [`someone asks for ${name}`] },
    setup: () => ({}),
  }),
  ...overrides,
})
