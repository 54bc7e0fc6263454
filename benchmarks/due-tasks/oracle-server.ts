// An oracle with tasks and a model that answers at once. With SEED_TASKS it first creates so many tasks that are due at DUE_AT,
// a hundred for each of as many people as that takes.
import { createOracleApp } from '@sibyl/core'
import { tasks } from '@sibyl/plugin-tasks'
import { scriptedModel, testActor } from '@sibyl/testing'

const count = Number(process.env.SEED_TASKS ?? 0)
const at = process.env.DUE_AT ?? ''
const model = scriptedModel(Array.from({ length: 100_000 }, () => 'It is done.'))
const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [tasks()], model })

const seedPerson = async (tasksOfPerson: number): Promise<void> => {
  const person = testActor(app)
  for (let task = 0; task < tasksOfPerson; task += 1) {
    const answer = await person.request('/tasks', { json: { what: 'Say that it is done', when: { at } } })
    if (answer.status !== 201) throw new Error(`No task was created: ${answer.status} ${await answer.text()}`)
  }
}

const people = Math.ceil(count / 100)
for (let from = 0; from < people; from += 20) {
  const group = Array.from({ length: Math.min(20, people - from) }, (_, place) => from + place)
  await Promise.all(group.map(person => seedPerson(Math.min(100, count - person * 100))))
}
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
