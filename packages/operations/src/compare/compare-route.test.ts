import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const operatorToken = 'an-operator-token-of-tests'

const usage = { inputTokens: 40, outputTokens: 2 }

const oracleWith = (...[steps, env = {}]: [Parameters<typeof scriptedModel>[0], Record<string, string>?]) => {
  const model = scriptedModel(steps)
  const booted = testApp({ plugins: [], model, env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env } })
  const compare = async (variants: readonly object[], message = 'hello') => {
    const response = await (await booted).app.request('/operator/compare', {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message, variants }),
    })
    return response.json()
  }
  return { booted, model, compare }
}

test('answers by each variant without tools, stores no session, and counts tokens', async () => {
  const { booted, model, compare } = oracleWith([
    ['One.', { usage }],
    ['Two.', { usage }],
  ])
  await using oracle = await booted
  const { answers } = await compare([{}, { instructions: 'You are terse.' }])
  expect(answers.map(({ text }: { text: string }) => text)).toEqual(['One.', 'Two.'])
  expect(answers[0]).toMatchObject({ model: 'scripted', usage: { inputTokens: 40, outputTokens: 2 } })
  expect(answers[0].firstPartMs).toBeLessThanOrEqual(answers[0].durationMs + 1)
  expect(model.calls.map(({ tools, prompt }) => [tools, prompt.length])).toEqual([
    [[], 2],
    [[], 2],
  ])
  expect(model.calls[1]?.prompt[0]).toMatchObject({ role: 'system', content: 'You are terse.' })
  const metrics = await oracle.app.request('/metrics', { headers: { authorization: `Bearer ${operatorToken}` } })
  expect(await metrics.text()).toMatch(/^sibyl_tokens_used_today 84$/m)
})

test('a variant that fails has its error, and the others their answers', async () => {
  const { booted, compare } = oracleWith([{ error: new Error('secret of the provider') }, 'Two.'])
  await using _oracle = await booted
  const { answers } = await compare([{}, {}, { model: 'other' }])
  expect(answers).toMatchObject([
    { text: '', error: { code: expect.stringMatching(/^model_|^turn_/) } },
    { text: 'Two.' },
    { error: { code: 'model_fixed' } },
  ])
  expect(JSON.stringify(answers)).not.toContain('secret of the provider')
})

test('keeps the budgets, and rejects callers without the right', async () => {
  const { booted, compare } = oracleWith(['One.'], { TOKEN_BUDGET_ORACLE_PER_DAY: '1' })
  await using oracle = await booted
  await compare([{}])
  expect((await compare([{}])).answers[0].error.code).toBe('token_budget_used')
  const json = { message: 'hello', variants: [{}] }
  expect((await oracle.actor.request('/operator/compare', { json })).status).toBe(403)
  expect(await compare([])).toMatchObject({ status: 400 })
})

test.skipIf(postgres === undefined)(
  'a model that is not configured fails its variants, and not the process',
  async () => {
    await using oracle = await testApp({
      plugins: [],
      env: {
        ORACLE_OPERATOR_TOKEN: operatorToken,
        NODE_ENV: 'production',
        DATABASE_URL: await postgres!.createDatabase(),
      },
    })
    const response = await oracle.app.request('/operator/compare', {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello', variants: [{}, {}] }),
    })
    const { answers } = (await response.json()) as { answers: { error: { code: string } }[] }
    expect(answers.map(({ error }) => error.code)).toEqual(['turn_failed', 'turn_failed'])
  },
)
