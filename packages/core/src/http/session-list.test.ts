import { scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

const oracleWith = async (messages: Readonly<Record<string, string>>) => {
  const oracle = await testApp({ plugins: [], model: scriptedModel(Object.keys(messages).map(() => 'ok')) })
  for (const [session, message] of Object.entries(messages)) await oracle.chat(message, { session })
  const list = async (query = '', actor = oracle.actor) => {
    const answer = await actor.request(`/sessions${query}`)
    const { sessions = [], next, code } = await answer.json()
    return { ids: sessions.map(({ id }: { id: string }) => id), next, code }
  }
  return { oracle, list, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('pages follow one another without gaps, and a cursor of another search is rejected', async () => {
  const names = Array.from({ length: 7 }, (_, number) => `s${number}`)
  await using app = await oracleWith(Object.fromEntries(names.map(name => [name, `hello ${name}`])))
  const read: string[] = []
  let cursor = ''
  do {
    const { ids, next } = await app.list(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    read.push(...ids)
    cursor = next ?? ''
    expect(ids.length).toBeLessThanOrEqual(3)
  } while (cursor !== '')
  expect(read.toSorted()).toEqual(names)
  expect(new Set(read).size).toBe(names.length)
  const { next } = await app.list('?limit=3')
  expect(await app.list(`?q=hello&cursor=${next}`)).toMatchObject({ code: 'cursor_invalid' })
})

test('finds sessions by their title and by what the user said, as plain text and without regard to case', async () => {
  await using app = await oracleWith({
    maize: 'When do I plant Maize?',
    percent: 'What is 100% of_it?',
    long: 'A question\nwith the word quinine in its second line',
  })
  expect((await app.list('?q=maize')).ids).toEqual(['maize'])
  expect((await app.list('?q=QUININE')).ids).toEqual(['long'])
  expect((await app.list('?q=0%25')).ids).toEqual(['percent'])
  expect((await app.list('?q=f_i')).ids).toEqual(['percent'])
  expect((await app.list('?q=%25')).ids).toEqual(['percent'])
  expect((await app.list('?q=ok')).ids).toEqual([])
  expect((await app.list('?q=maize', testActor(app.oracle.app))).ids).toEqual([])
})
