import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { readStream, type ScriptedStep, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf, questionsOf } from '../testing/approval-questions.ts'
import { askingPlugin } from '../testing/asking-plugin.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const book: ScriptedStep = { tool: 'book', input: { questions: 2 }, id: 'c1' }

/** Starts two oracles on one database, with one user of both. */
const pair = async (one: readonly ScriptedStep[], two: readonly ScriptedStep[]) => {
  const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const key = createSigningKey()
  const { plugin, runs } = askingPlugin()
  const boot = async (steps: readonly ScriptedStep[]) => {
    const oracle = await testApp({ plugins: [plugin], model: scriptedModel(steps), env })
    return { oracle, actor: testActor(oracle.app, Date.now, key) }
  }
  const apps = [await boot(one), await boot(two)] as const
  return {
    actors: apps.map(({ actor }) => actor),
    runs,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(apps.map(({ oracle }) => oracle.app.close()))
    },
  }
}

const decide = (actor: ReturnType<typeof testActor>, approvalId: string | undefined, body: object) =>
  actor.request(`/chat/s1/approvals/${approvalId}`, { json: body })

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('both receive each answer at once: the call continues once per answer, on either', async () => {
    await using app = await pair([book, 'booked'], ['booked'])
    const [one, two] = app.actors
    let stream = await readStream(await one!.request('/chat', { json: { id: 's1', message: 'go' } }))
    for (const n of [1, 2]) {
      const [question] = questionsOf(stream)
      const answers = await Promise.all(
        [two!, one!, two!, one!].map(actor =>
          decide(actor, question?.approvalId, { decision: 'once', data: { n } }).then(readStream),
        ),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
      stream = answers[0]!
    }
    expect(stream.text).toBe('booked')
    expect(app.runs.map(({ answer }) => answer?.data)).toEqual([undefined, { n: 1 }, { n: 2 }])
    expect(new Set(app.runs.map(({ key }) => key)).size).toBe(1)
  })

  test('one receives yes and the other no at once: one of them wins', async () => {
    await using app = await pair([book, 'end'], ['end'])
    const [one, two] = app.actors
    const asked = await readStream(await one!.request('/chat', { json: { id: 's1', message: 'go' } }))
    const [question] = questionsOf(asked)
    const answers = await Promise.all([
      decide(one!, question?.approvalId, { decision: 'once', data: { n: 1 } }),
      decide(two!, question?.approvalId, { decision: 'deny' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)!
    expect(await codeOf(refused)).toEqual([409, 'approval_decided'])
    await readStream(answers.find(({ status }) => status === 200)!)
    expect(app.runs.length).toBe(2)
  })
})
