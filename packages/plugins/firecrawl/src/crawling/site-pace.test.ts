import { expect, test } from 'vitest'
import { createSitePace } from './crawl-site.ts'

const { signal } = new AbortController()

test('a turn that a busy computer takes late is as far from the next one as any', async () => {
  const pace = createSitePace(60)
  const turn = () => pace.turn(signal).then(() => performance.now())
  await turn()
  const waiting = [turn(), turn(), turn()]
  for (const until = performance.now() + 150; performance.now() < until; );
  const [one = 0, two = 0, three = 0] = (await Promise.all(waiting)).toSorted((before, after) => before - after)
  expect(two - one).toBeGreaterThan(55)
  expect(three - two).toBeGreaterThan(55)
})
