import { definePlugin, type OraclePlugin } from '@sibyl/plugin'

/**
 * Creates an empty plugin with overrides.
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
