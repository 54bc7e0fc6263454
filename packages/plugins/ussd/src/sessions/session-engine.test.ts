import { silentLogger } from '@sibyl/core/testing'
import { expect, test } from 'vitest'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import { createVault } from '../keys/create-vault.ts'
import type { UssdRequest } from '../requests/ussd-request.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createSessionEngine } from './session-engine.ts'

const flow = {
  start: 'welcome',
  screens: {
    welcome: {
      kind: 'menu',
      text: 'Welcome',
      options: [
        { label: 'One', to: 'one' },
        { label: 'Two', to: 'two' },
      ],
    },
    one: { kind: 'menu', text: 'First', options: [{ label: 'Two', to: 'two' }] },
    two: { kind: 'message', text: 'Second' },
  },
} as const

const request = (more: Partial<UssdRequest> = {}): UssdRequest => ({
  provider: 'plain',
  sessionId: 's1',
  phoneNumber: '+260971234567',
  serviceCode: '*1234#',
  event: more.text ? 'input' : 'dial',
  text: '',
  textMode: 'cumulative',
  limits: { gsm7: 182, ucs2: 80 },
  ...more,
})

await onEachEngine('sessions', engine => {
  test('moves', async () => {
    const storage = await engine.open()
    const vault = createVault({ current: new Uint8Array(32) })
    const sessions = createSessionEngine({
      storage,
      vault,
      machine: createFlowMachine(flow as never),
      clock: { now: Date.now },
      log: silentLogger,
      settings: { ttlMs: 180_000, resume: false, serviceCodes: [] },
    })
    expect(await sessions.serve(request())).toMatchObject({
      kind: 'continue',
      text: expect.stringContaining('Welcome'),
    })
    expect(await sessions.serve(request({ text: '1' }))).toMatchObject({ text: expect.stringContaining('First') })
    expect(await sessions.serve(request({ text: '1' }))).toMatchObject({ text: expect.stringContaining('First') })
    expect(await sessions.serve(request({ text: '1*1' }))).toMatchObject({ text: expect.stringContaining('Second') })
    expect(await sessions.find('s1')).toMatchObject({ state: 'two', phoneNumber: '+260971234567' })
    expect(await sessions.list(10)).toEqual({ ids: ['s1'], count: 1 })
    expect(await sessions.serve(request({ text: '1*1**' }))).toMatchObject({ kind: 'end' })
    expect(await sessions.list(10)).toEqual({ ids: [], count: 0 })
    await sessions.dispose()
  })
})
