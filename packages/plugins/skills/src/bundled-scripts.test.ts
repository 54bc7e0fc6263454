import { readFileSync } from 'node:fs'
import { sandbox } from '@sibyl/plugin-sandbox'
import { type ScriptedPart, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skills } from './skills.ts'

interface Outcome {
  readonly ok: boolean
  readonly outcome: { readonly text: string }
}

let oracle: TestApp
const steps: ScriptedPart[] = [{ tool: 'load_capability', input: { names: ['sandbox'] } }, 'Loaded.']
beforeAll(async () => {
  const model = scriptedModel(Array.from({ length: 80 }, () => () => steps.shift() ?? 'Done.'))
  oracle = await testApp({ plugins: [sandbox(), skills()], env: { SANDBOX_MCP_URL: 'embedded:' }, model })
  await oracle.chat('Load it', { session: 'one' })
})
afterAll(() => oracle[Symbol.asyncDispose]())

/** What a bundled script says of a file, in the real sandbox. */
const run = async (skill: string, path: string, name: string, content: unknown): Promise<Outcome> => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  steps.push({ tool: 'run_skill_script', input: { skill, path, files: [{ name, text }] } }, 'Done.')
  const { events } = await oracle.chat('Go on', { session: 'one' })
  const end = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
  if (end?.type !== 'tool-output-available') throw new Error(JSON.stringify(end))
  return end.output as never
}

const checkForm = (form: unknown) => run('field-survey', 'scripts/check-form.js', 'form.json', form)
const choice = (id: string, text: string, ...labels: string[]) => ({
  id,
  type: 'choice',
  text,
  options: labels.map(label => ({ label })),
})

test('the bundled example form has no errors', async () => {
  const example = readFileSync(new URL('../skills/field-survey/assets/form.json', import.meta.url), 'utf8')
  expect(await checkForm(example)).toMatchObject({
    ok: true,
    outcome: { text: expect.stringMatching(/^All 4 questions are valid\.\s*$/) },
  })
})

test('errors and hints of a form are reported by question', async () => {
  const { outcome } = await checkForm({
    channel: 'ussd',
    questions: [
      choice('start', 'Do you agree to answer? Refusing is free.', 'Yes', 'No'),
      choice('long', 'How '.repeat(45), 'Yes', 'No'),
      choice('odd', `Ṣé o ń dáná lónìí? ${'a'.repeat(60)}`, 'Bẹ́ẹ̀ ni', 'Other'),
      { ...choice('lost', 'Where now?', 'A', 'B'), goto: 'nowhere' },
      { ...choice('back', 'Again?', 'Yes', 'No'), goto: 'start' },
      { id: 'end', type: 'text', text: 'What do you usually cook?' },
      { id: 'hours', type: 'number', text: 'How many hours?', min: 9, max: 1 },
      { id: 'hours', type: 'mood', text: '' },
    ],
  })
  for (const line of [
    /^Error {2}long: its screen has \d+ characters; the maximum is 182$/m,
    /^Error {2}odd: its screen has \d+ characters; the maximum is 80, because of 'Ṣ'$/m,
    /^Error {2}lost: it leads to 'nowhere', which does not exist$/m,
    /^Hint {3}lost: it has no neutral option/m,
    /^Error {2}back: it leads back to 'start'/m,
    /^Error {2}end: it needs an id$/m,
    /^Hint {3}end: ask about yesterday/m,
    /^Error {2}hours: min is not below max$/m,
    /^Error {2}hours: an earlier question has the same id$/m,
    /^Error {2}hours: it has no text$/m,
    /^Errors: \d+, hints: \d+, questions: 8\.$/m,
  ]) {
    expect(outcome.text).toMatch(line)
  }
})

test('an invalid form fails with a sentence', async () => {
  expect(await checkForm('no JSON')).toMatchObject({ ok: false, outcome: { text: expect.stringMatching(/^Error: /) } })
  const odd = {
    channel: 'fax',
    questions: [null, { ...choice('a', 'Do you agree?'), options: [null, 'Yes', { label: 5 }] }, { id: 'b', text: 5 }],
  }
  const [nothing, oddly] = [await checkForm('null'), await checkForm(odd)]
  expect(nothing).toMatchObject({ ok: true, outcome: { text: expect.stringContaining('form: it has no questions') } })
  expect(oddly.ok).toBe(true)
  expect(oddly.outcome.text).toMatch(/^Error {2}question 1: it has no text$/m)
  expect(oddly.outcome.text).toMatch(/^Error {2}a: an option has no label$/m)
  expect(oddly.outcome.text).toMatch(/^Hint {3}form: the channel 'fax' is unknown/m)
})

test('a form in another language gets no hints that only apply to English', async () => {
  const questions = [
    choice('idhini', 'Je, unakubali kujibu maswali 3? Ni hiari.', 'Ndiyo', 'Hapana'),
    choice('jana', 'Ulipika jana?', 'Ndiyo', 'Hapana', 'Sijui'),
  ]
  expect((await checkForm({ language: 'sw', questions })).outcome.text).toMatch(
    /^All 2 questions are valid\.\nConsent, wording and neutral options are only checked in English\. Check them yourself\.\s*$/,
  )
  const double = choice('moja', 'Ulipika jana? Na leo?', 'Ndiyo', 'Hapana')
  expect((await checkForm({ language: 'sw', questions: [double] })).outcome.text).toContain(
    'it seems to ask two things',
  )
})

test.each([
  [{ population: 2_400, margin: 5, responseRate: 60 }, 'Answers needed: 332', 'People to ask: 554'],
  [{ margin: 5 }, 'Answers needed: 385', 'People to ask: 385'],
  [{ population: 50, margin: 5, responseRate: 50 }, 'Answers needed: 45', 'ask everyone'],
])('the size of a sample: %j', async (survey, ...texts) => {
  const { outcome } = await run('field-survey', 'scripts/sample-size.js', 'survey.json', survey)
  for (const text of texts) expect(outcome.text).toContain(text)
})

test('an invalid survey fails with a sentence', async () => {
  const sampleOf = (survey: unknown) => run('field-survey', 'scripts/sample-size.js', 'survey.json', survey)
  expect((await sampleOf('null')).outcome.text).toContain('survey.json must be an object')
  expect((await sampleOf({ confidence: 'constructor' })).outcome.text).toContain('confidence must be one of 80, 90')
})

test('sentences end as their language ends them, and long words are cut', async () => {
  const texts = [
    'እኛ ዓርብ እንመጣለን። ነጻ ነው። ስልክ እንደውላለን።',
    'سنأتي يوم الجمعة. هل تريد موقدًا؟ إنه مجاني.',
    'ہم جمعہ کو آئیں گے۔ یہ مفت ہے۔ فون کریں۔',
    '我们星期五来。这是免费的。你会得到一个新炉子！',
    'She said: “We come.” Then she left (at noon.) It rained.',
  ]
  const text = [...texts, 'a'.repeat(9_000)].join('\n\n')
  const { outcome } = await run('plain-language', 'scripts/reading-ease.js', 'text.txt', text)
  expect(outcome.text).toContain('sentences: 16,')
  expect(outcome.text.length).toBeLessThan(800)
})

test('measures the readability of a text', async () => {
  const easy = 'We come on Friday. You get a new stove. It is free.'
  const hard = `The aforementioned beneficiaries are hereby notified that disbursement procedures necessitate
    the prior submission of supplementary documentation in accordance with organisational requirements.`
  const measure = (text: string) => run('plain-language', 'scripts/reading-ease.js', 'text.txt', text)
  expect((await measure(easy)).outcome.text).toMatch(
    /^Words: 12, sentences: 3, words a sentence: 4\.0\n0 % .+: very easy, .+\nNo sentence has more than 15 words\./,
  )
  const { text } = (await measure(hard)).outcome
  expect(text).toMatch(/: very hard, as English goes \(LIX \d+\)/)
  expect(text).toMatch(/Sentences of more than 15 words: 1\. The longest:\n- 21 words: The aforementioned/)
  expect(await measure(' ')).toMatchObject({ ok: false, outcome: { text: expect.stringContaining('has no words') } })
})
