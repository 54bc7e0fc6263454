import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { sendUssd } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'
import { extendFlow } from './define-flow.ts'
import type { Flow } from './flow.ts'

const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_PRICING: 'Ten kwacha.' }

test('the bundled menus with an additional option, and a replaced screen', async () => {
  const plugin = ussd({
    flow: (_, bundled) =>
      extendFlow(bundled(), {
        options: { preMenu: [{ label: 'Opening hours', to: 'hours' }] },
        screens: {
          hours: { kind: 'message', text: 'Monday to Friday, 8 to 17.' },
          delivery: { kind: 'message', text: 'By bicycle.' },
        },
      }),
  })
  await using oracle = await testApp({ plugins: [plugin], env })
  const welcome = await sendUssd(oracle.app)
  expect(welcome.lines.slice(1)).toEqual(['1. Know More', '2. Account Menu', '3. Opening hours', '*. Exit'])
  expect((await welcome.answer('3')).lines[0]).toBe('Monday to Friday, 8 to 17.')
  const knowMore = await (await sendUssd(oracle.app)).answer('1')
  expect((await knowMore.answer('2')).lines[0]).toBe('Ten kwacha.')
  expect((await knowMore.answer('0', '1', '3')).lines[0]).toBe('By bicycle.')
  expect((await welcome.answer('3', '0', '2')).text).not.toBe('')
})

const flow: Flow = {
  start: 'home',
  screens: {
    home: { kind: 'menu', text: 'Home', options: [{ label: 'Hours', to: 'hours' }] },
    hours: { kind: 'message', text: '8 to 17' },
  },
}

test.each([
  [{ options: { hours: [{ label: 'A', to: 'home' }] } }, '"hours" is not a menu'],
  [{ options: { nowhere: [{ label: 'A', to: 'home' }] } }, 'no screen is called "nowhere"'],
  [{ options: { home: [{ label: 'A', to: 'nowhere' }] } }, 'nowhere'],
  [{ screens: { hours: { kind: 'message' as const, text: '{opens}' } } }, 'opens'],
])('%j is rejected with the reason', (extension, problem) => {
  expect(() => extendFlow(flow, extension)).toThrow(problem)
})

test('the flow itself does not change', () => {
  const extended = extendFlow(flow, { options: { home: [{ label: 'Again', to: 'home' }] } })
  expect(extended.screens.home).toMatchObject({ options: [{ label: 'Hours' }, { label: 'Again' }] })
  expect(flow.screens.home).toMatchObject({ options: [{ label: 'Hours' }] })
})
