import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type SessionProcess, startSessionProcess } from './start-session-process.test.helper.ts'

const folder = mkdtempSync(join(tmpdir(), 'sibyl-sessions-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A path that cannot be walked again if it is lost: behind a PIN, and behind an action with an effect. */
const signedIn = ['', '3', '3*2580', '3*2580*1', '3*2580*1*0', '3*2580*1*0*1']
const working = ['', '4', '4*0', '4*0*4', '4*0*4*0', '4*0*4*0*4']

/** Walks a session until a request is not answered. */
const walk = async (
  process: SessionProcess,
  sessionId: string,
  texts: readonly string[],
  onReply: (texts: readonly string[]) => void,
) => {
  const replies: string[] = []
  for (const text of texts) {
    const reply = await process.serve({ sessionId, text })
    if (reply === undefined) break
    replies.push(reply.text)
    onReply(texts)
  }
  return { sessionId, texts, replies }
}

test.each(['write', 'idempotent'] as const)(
  'a kill loses no acknowledged move, and no action of effect %s has two keys',
  async effect => {
    const [url, journal] = [`file:${join(folder, `${effect}.db`)}`, join(folder, `${effect}.txt`)]
    const first = await startSessionProcess({ url, journal, effect })
    const isMidway = Promise.withResolvers<void>()
    let answered = 0
    // Of 60 sessions with 6 answers each: more than the dials, and long before the last.
    const onReply = (texts: readonly string[]) => {
      if (texts === working && ++answered === 100) isMidway.resolve()
    }
    const walks = Array.from({ length: 120 }, (_, index) =>
      walk(first, `s${index}`, index % 2 === 0 ? signedIn : working, onReply),
    )
    await isMidway.promise
    await first.kill()
    const walked = await Promise.all(walks)
    expect(walked.some(({ texts, replies }) => replies.length < texts.length)).toBe(true)

    await using second = await startSessionProcess({ url, journal, effect })
    for (const { sessionId, texts, replies } of walked) {
      if (replies.length === 0) continue
      const again = await second.serve({ sessionId, text: texts[replies.length - 1]! })
      const next = texts[replies.length]
      const known = [replies.at(-1)]
      if (again?.text !== known[0] && next !== undefined)
        known.push((await second.serve({ sessionId, text: next }))?.text)
      expect(known).toContain(again?.text)
    }
    const keys = readFileSync(journal, 'utf8').trim().split('\n')
    if (effect === 'write') expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(keys).size).toBeLessThanOrEqual(180)
  },
)

test('a typed PIN and phone number do not occur in the bytes of the database', async () => {
  const path = join(folder, 'bytes')
  const process = await startSessionProcess({
    url: `file:${path}/a.db`,
    journal: join(path, 'journal'),
    effect: 'read',
  })
  await process.serve({ phoneNumber: '+260977778888' })
  await process.serve({ phoneNumber: '+260977778888', text: '3' })
  expect((await process.serve({ phoneNumber: '+260977778888', text: '3*2580' }))?.text).toContain('Signed in')
  await process.kill()
  const files = readdirSync(path)
  expect(files).toContain('a.db-wal')
  for (const file of files) {
    const bytes = readFileSync(join(path, file)).toString('latin1')
    for (const secret of ['3*2580', '260977778888', 'Signed in']) expect(bytes).not.toContain(secret)
  }
})
