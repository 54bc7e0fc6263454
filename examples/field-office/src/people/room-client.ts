import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { MatrixUser } from './matrix-user.ts'

/** Time without changes after which a message is complete, in milliseconds. */
const settled = 700

/** The owner of the client, and its room. */
export interface RoomClientOptions {
  /** The homeserver's address. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** The room's id. */
  readonly room: string
}

/** A Matrix client of one room on this terminal: shows what is said in it and says what is typed, until the input ends. */
export const runRoomClient = async ({ url, user, password, room }: RoomClientOptions): Promise<void> => {
  const self = await MatrixUser.signIn(url, user, password)
  const leaving = new AbortController()
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  const typed = new Set<string>()
  lines.on('line', async line => {
    const text = line.trim()
    if (text !== '') {
      try {
        typed.add(await self.send(room, text))
      } catch (error) {
        console.error(error instanceof Error ? error.message : error)
      }
    }
    lines.prompt()
  })
  lines.on('close', () => leaving.abort())
  lines.prompt()

  const show = (message: string, sender: string, text: string) => {
    if (typed.has(message)) return
    const name = sender.slice(1, sender.indexOf(':'))
    const [first, ...rest] = stripVTControlCharacters(text).split('\n')
    process.stdout.write(`\r${[`${name.padEnd(8)}${first}`, ...rest.map(line => ' '.repeat(8) + line)].join('\n')}\n`)
    lines.prompt(true)
  }
  const growing = new Map<string, NodeJS.Timeout>()
  try {
    for await (const { id, sender, text, replaces } of self.messages(room, leaving.signal)) {
      const message = replaces ?? id
      clearTimeout(growing.get(message))
      growing.set(message, setTimeout(show, settled, message, sender, text))
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    for (const timer of growing.values()) clearTimeout(timer)
    lines.close()
  }
}
