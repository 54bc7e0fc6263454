import { fromAddress, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import type { FlowServices } from './default-flow/menu-kit.ts'
import { defineFlow } from './flow/define-flow.ts'
import { sendUssd } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'

const uses = (inputTokens: number): ScriptedStep => ['fine', { usage: { inputTokens, outputTokens: 1 } }]

/** A call whose first answer is a question to the oracle. */
const flow = ({ questions }: FlowServices) =>
  defineFlow({
    start: 'question',
    screens: {
      question: {
        kind: 'input',
        text: 'Your question?',
        into: 'question',
        parse: text => ({ value: text }),
        to: 'ask',
      },
      ask: {
        kind: 'action',
        effect: 'idempotent',
        async run({ phoneNumber, idempotencyKey }) {
          const answer = await questions.ask({ phoneNumber, question: 'How are you?', idempotencyKey })
          return { to: answer.kind === 'answered' ? 'answered' : 'refused' }
        },
        leadsTo: ['answered', 'refused'],
      },
      answered: { kind: 'message', text: 'answered', ends: true },
      refused: { kind: 'message', text: 'refused', ends: true },
    },
  })

const started = async (env: Readonly<Record<string, string>>) => {
  const oracle = await testApp({
    plugins: [ussd({ flow })],
    model: scriptedModel(Array.from({ length: 8 }, () => uses(1_000))),
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), TOKEN_BUDGET_ORACLE_PER_DAY: '8000', ...env },
  })
  let phones = 0
  return {
    /** Sends a question from another phone each time, through a gateway at an address. */
    ask: async (address: string) => {
      phones += 1
      const call = { phoneNumber: `+26097123456${phones}` }
      return (await (await sendUssd(fromAddress(oracle.app, address), call)).answer('hello')).text
    },
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

test('phones of an unknown gateway share the limit of its address', async () => {
  await using oracle = await started({})
  expect([await oracle.ask('203.0.113.7'), await oracle.ask('203.0.113.7')]).toEqual(['answered', 'answered'])
  expect(await oracle.ask('203.0.113.7')).toBe('refused')
  expect(await oracle.ask('203.0.113.8')).toBe('answered')
})

test('phones behind a trusted gateway count individually, never for the address of the gateway', async () => {
  await using oracle = await started({ USSD_TRUSTED_GATEWAYS: '203.0.113.7' })
  for (let count = 0; count < 4; count += 1) expect(await oracle.ask('203.0.113.7')).toBe('answered')
})
