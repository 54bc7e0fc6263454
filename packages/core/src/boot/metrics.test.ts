import { createMnemonic } from '@sibyl/identity'
import { defineTool, type Host } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const operatorToken = 'operator-token-for-tests'

const style = defineTool({ description: 'Looks.', input: z.object({}), effect: 'read', execute: async () => 'seen' })

const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 }

const oracleWith = async (steps: readonly ScriptedStep[], env: Record<string, string> = {}) => {
  const oracle = await testApp({
    plugins: [officePlugin({ tools: { look: style } })],
    model: scriptedModel(steps),
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env },
  })
  const scrape = async () => {
    const answer = await oracle.app.request('/metrics', { headers: { authorization: `Bearer ${operatorToken}` } })
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return answer.text()
  }
  return { ...oracle, scrape, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('counts turns, model calls, tokens, tool calls and requests', async () => {
  await using oracle = await oracleWith([
    [{ tool: 'look' }, { usage }],
    ['fine', { usage }],
    { error: new TypeError('fetch failed') },
  ])
  await oracle.chat('hi')
  const { last } = await oracle.chat('hi')
  const text = await oracle.scrape()
  for (const line of [
    'sibyl_turns_total{channel="chat",outcome="done",code=""} 1',
    `sibyl_turns_total{channel="chat",outcome="failed",code="${last?.code}"} 1`,
    'sibyl_turn_duration_seconds_count{outcome="done"} 1',
    'sibyl_turn_first_text_seconds_count 1',
    'sibyl_model_calls_total{model="scripted",result="done"} 2',
    'sibyl_model_calls_total{model="scripted",result="failed"} 1',
    'sibyl_model_tokens_total{model="scripted",type="input"} 200',
    'sibyl_model_tokens_total{model="scripted",type="cached_input"} 80',
    'sibyl_model_tokens_total{model="scripted",type="output"} 20',
    'sibyl_tool_calls_total{tool="look",result="done"} 1',
    'sibyl_http_requests_total{method="POST",route="/chat",status="200"} 2',
    'sibyl_running_turns 0',
    'sibyl_database_up 1',
    'sibyl_tokens_used_today 220',
    'sibyl_plugins{state="loaded"} 1',
  ]) {
    expect(text).toContain(`${line}\n`)
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(text).toMatch(/^sibyl_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m)
})

test('shows running turns and readers, and counts rejections by code', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await oracleWith([['begun ', { wait: gate.promise }]], { TOKEN_BUDGET_DID_PER_DAY: '1' })
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await reader.until('text-delta')
  expect(await oracle.scrape()).toMatch(/^sibyl_running_turns 1\n(.*\n)*sibyl_open_streams 1$/m)
  expect((await oracle.actor.request('/chat', { json: { id: 's2', message: 'hi' } })).status).toBe(429)
  gate.resolve()
  await reader.rest()
  const text = await oracle.scrape()
  expect(text).toContain('sibyl_turns_refused_total{channel="chat",code="token_budget_used"} 1\n')
  expect(text).toContain('sibyl_http_problems_total{status="429",code="token_budget_used"} 1\n')
})

test('paths, methods, IDs and users create no series', async () => {
  await using oracle = await oracleWith([])
  for (let index = 0; index < 30; index += 1) {
    await oracle.app.request(`/made/up/${index}`)
    await oracle.app.request('/', { method: `M${index}` })
    await testActor(oracle.app).request(`/sessions/s${index}`)
  }
  const text = await oracle.scrape()
  const series = text.match(/^sibyl_http_requests_total\{.*/gm)
  expect(series).toEqual([
    'sibyl_http_requests_total{method="GET",route="unmatched",status="404"} 30',
    'sibyl_http_requests_total{method="OTHER",route="unmatched",status="405"} 30',
    'sibyl_http_requests_total{method="GET",route="/sessions/{id}",status="404"} 30',
  ])
  expect(text).not.toMatch(/did:|s17|M17/)
})

test('only the operator can read metrics', async () => {
  await using oracle = await oracleWith([])
  expect((await oracle.app.request('/metrics')).status).toBe(401)
  expect((await oracle.actor.request('/metrics')).status).toBe(403)
})

test('counts job runs, and jobs by state', async () => {
  const ran = Promise.withResolvers<void>()
  const jobs = Promise.withResolvers<Host['jobs']>()
  const store = samplePlugin('keeper', {
    setup: (host: Host) => {
      host.jobs.define('keeper/sweep', z.object({}), async () => ran.resolve())
      jobs.resolve(host.jobs)
      return {}
    },
  })
  await using oracle = await testApp({
    plugins: [store],
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ORACLE_MNEMONIC: createMnemonic(12).reveal() },
  })
  const scrape = async () =>
    (await oracle.app.request('/metrics', { headers: { authorization: `Bearer ${operatorToken}` } })).text()
  await (await jobs.promise).enqueue('keeper/sweep', {})
  await ran.promise
  await expect.poll(scrape).toContain('sibyl_jobs{state="done"} 1\n')
  expect(await scrape()).toContain('sibyl_job_runs_total{kind="keeper/sweep",result="done"} 1\n')
})

test('two oracles in one process have separate metrics', async () => {
  await using one = await oracleWith(['fine'])
  await using two = await oracleWith([])
  await readStream(await one.actor.request('/chat', { json: { message: 'hi' } }))
  expect(await two.scrape()).not.toContain('sibyl_turns_total{')
})
