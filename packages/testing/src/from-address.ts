import type { OracleApp } from '@sibyl/core'
import type { TestTarget } from './test-actor.ts'

/**
 * Returns an oracle as a client at an address calls it, without a socket.
 *
 * @example
 * const actor = testActor(fromAddress(oracle.app, '203.0.113.7'))
 */
export const fromAddress = (app: Pick<OracleApp, 'fetch' | 'identity'>, clientAddress: string): TestTarget => ({
  identity: app.identity,
  request: async (path, init) => app.fetch(new Request(`http://localhost${path}`, init), { clientAddress }),
})
