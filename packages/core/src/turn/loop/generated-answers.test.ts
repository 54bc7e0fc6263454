import { describe, expect, test } from 'vitest'
import { generateAnswers } from './generated-answers.test.support.ts'
import { type JudgedLoop, judgedRun } from './judged-run.test.support.ts'

/** Number of answers in one test: 200 in all. */
const perTest = 10

const compare = async (loop: JudgedLoop, seed: number) => {
  const judged = loop === 'streamText' ? { textMetadata: false } : { textMetadata: true }
  const answers = generateAnswers(seed, { ...judged, faulty: seed % 2 === 0 })
  const scene = { answers, approvals: seed % 3 === 0 ? ('deny' as const) : ('ask' as const) }
  const [own, other] = await Promise.all([judgedRun('own', scene), judgedRun(loop, scene)])
  expect({ seed, ...own }).toEqual({ seed, ...other })
}

describe.each<JudgedLoop>(['streamText', 'experimental_streamTextLowMemory'])('%s and the loop of the turn', loop => {
  test.each(Array.from({ length: 10 }, (_, index) => index * perTest))(
    'give the same events and the same requests for the generated answers from %i on',
    async first => {
      for (let seed = first; seed < first + perTest; seed += 1) await compare(loop, seed)
    },
  )
})
