import type { Tool, ToolCall } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { captured, everythingOn, fixedTools, temporaryFolder } from './all-plugins.test.support.ts'

/** Inputs of the tools that an oracle calls again, with the same key, after its process ended during the call. */
const inputs: Readonly<Record<string, unknown>> = {
  remember: { text: 'Ada keeps bees.', tags: [] },
  set_preferences: { patch: { units: 'metric' } },
  // Their keys are tested with a phone, a collection and a homeserver, in their packages.
  send_sms: undefined,
  submit_claim: undefined,
  send_matrix_message: undefined,
}

test('a repeatable tool that is called twice with one key has the effect and the result of one call', async () => {
  const { plugins, parts } = captured()
  const env = { ...everythingOn(temporaryFolder()), SMS_PROVIDER: 'embedded:' }
  const oracle = await testApp({ plugins, env })
  const tools = new Map([...parts.values()].flatMap(part => Object.entries(fixedTools(part) as Record<string, Tool>)))
  const repeatable = [...tools].flatMap(([name, tool]) => (tool.repeatable ? [name] : []))
  expect(repeatable.toSorted()).toEqual(Object.keys(inputs).toSorted())
  const scopes = ['*/*']
  const actor = { did: oracle.actor.did, via: 'ucan', scopes } as const
  const turn = { actor, channel: 'chat', session: { id: 's1' }, signal: new AbortController().signal }
  for (const [name, input] of Object.entries(inputs)) {
    if (input === undefined) continue
    const call = { turn, toolCallId: 'c1', idempotencyKey: `t1:${name}`, signal: turn.signal, canAsk: false, emit() {} }
    const run = () => tools.get(name)!.execute(input, call as unknown as ToolCall)
    // A fact says whether it was known before the call.
    const { known: _, summary, ...first } = (await run()) as { known?: boolean; summary: string }
    expect(await run(), name).toMatchObject(name === 'remember' ? first : { ...first, summary })
  }
  await oracle.app.close()
})
