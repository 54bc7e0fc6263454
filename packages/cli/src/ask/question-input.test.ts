import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openQuestionInput } from './clack-asker.ts'

test("it continues after a pause, such as readline's at Ctrl-Z, and reads nothing after its release", async () => {
  const stdin = new PassThrough()
  const { input, release } = openQuestionInput(stdin)
  input.resume()
  input.pause()
  const typed = once(input, 'data')
  stdin.write('a')
  expect(String(await typed)).toBe('a')
  release()
  stdin.write('for the next one')
  expect([stdin.isPaused(), stdin.listenerCount('data'), String(stdin.read())]).toEqual([true, 0, 'for the next one'])
})
