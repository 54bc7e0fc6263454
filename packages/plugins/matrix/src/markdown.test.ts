import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { groupOf, roomWorld } from './room-world.test.support.ts'
import { MatrixPerson } from './testing/index.test.support.ts'

const format = 'org.matrix.custom.html'

test('answers are shown with their Markdown, while they grow and in parts; questions as they are', async () => {
  const gate = Promise.withResolvers<void>()
  const code = Array.from({ length: 300 }, (_, place) => `const a${place} = ${place}`).join('\n')
  const text = '**Read** [this](https://example.org)'
  const model = scriptedModel([
    ['It **begins** ', { wait: gate.promise }, 'and `ends`.'],
    `Here:\n\n\`\`\`js\n${code}\n\`\`\`\n\nThat is *all*.`,
    ['I *will*. ', { tool: 'send_matrix_message', input: { room: 'Field', text } }],
    'Plainly done.',
  ])
  await using world = await roomWorld({ model })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const room = await ada.directRoom(bot)
  await ada.send(room, 'slowly')
  const begun = await waitForText(room, 'It **begins**')
  expect(begun.content).toMatchObject({ body: 'It **begins**', format, formatted_body: 'It <strong>begins</strong>' })
  gate.resolve()
  await waitForText(room, /^It \*\*begins\*\*\s+and `ends`\.$/)
  const edit = homeserver.events(room).findLast(({ sender }) => sender === bot)
  expect(edit?.content.body).toMatch(/^\* It \*\*begins\*\*\s+and `ends`\.$/)
  expect(edit?.content['m.new_content']).toMatchObject({
    body: expect.stringMatching(/^It \*\*begins\*\*\s+and `ends`\.$/),
    format,
    formatted_body: expect.stringMatching(/It <strong>begins<\/strong>.+and <code>ends<\/code>\./),
  })

  await ada.send(room, 'code')
  const last = await waitForText(room, /That is \*all\*\.$/)
  expect(textsOf(room).slice(1)).toHaveLength(2)
  expect(textsOf(room)[1]).toMatch(/\n```$/)
  expect(last.content.formatted_body).toMatch(
    /^<pre><code class="language-js">.*<\/code><\/pre><p>That is <em>all<\/em>/s,
  )

  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const group = await groupOf(world, 'Field', [ben])
  await ada.send(room, 'tell them')
  const asked = await waitForText(room, /Answer yes, always or no\.$/)
  expect(asked.content.formatted_body).toBe(
    'I <em>will</em>.<p>Write to the Matrix room Field<br><br>room: &quot;Field&quot;<br>text: &quot;**Read** [this](https://example.org)&quot;<br><br>Answer yes, always or no.</p>',
  )
  await ada.send(room, 'yes')
  expect((await waitForText(group, text)).content).toMatchObject({
    body: text,
    formatted_body: '<strong>Read</strong> <a href="https://example.org/">this</a>',
  })
  expect((await waitForText(room, 'Plainly done.')).content).not.toHaveProperty('format')
})
