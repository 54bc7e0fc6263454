/**
 * A Matrix client for one room on a terminal: shows what is said in it, and says what is typed.
 *
 *     node --conditions=sibyl-source src/matrix-client.ts --url http://127.0.0.1:8008 --user grace --password … --room '!…'
 */
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { MatrixUser } from './people/matrix-user.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8008' },
    user: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
    room: { type: 'string', default: '' },
  },
})
/** How long a message that still grows is waited for, in milliseconds. */
const settled = 700

const user = await MatrixUser.signIn(values.url, values.user, values.password)
const leaving = new AbortController()
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
lines.on('line', async line => {
  if (line.trim() !== '') await user.say(values.room, line.trim())
  lines.prompt()
})
lines.on('close', () => leaving.abort())
lines.prompt()

const show = (sender: string, text: string) => {
  const name = sender.slice(1, sender.indexOf(':'))
  const [first, ...rest] = stripVTControlCharacters(text).split('\n')
  process.stdout.write(`\r${[`${name.padEnd(8)}${first}`, ...rest.map(line => ' '.repeat(8) + line)].join('\n')}\n`)
  lines.prompt(true)
}

const growing = new Map<string, { readonly timer: NodeJS.Timeout }>()
try {
  for await (const { id, sender, text, replaces } of user.messages(values.room, leaving.signal)) {
    const message = replaces ?? id
    clearTimeout(growing.get(message)?.timer)
    growing.set(message, { timer: setTimeout(show, sender === user.userId ? 0 : settled, sender, text) })
  }
} catch (error) {
  if (!leaving.signal.aborted) throw error
}
