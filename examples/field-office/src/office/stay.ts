import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type Office, openOffice } from './open-office.ts'

const launcher = fileURLToPath(new URL('../../../../scripts/launch.mjs', import.meta.url))

/**
 * Opens an office, says what three terminals are to run for a phone, a chat and a Matrix client, and keeps it until a
 * signal.
 *
 * @param onOpening is given the office that opens, to close it
 */
export const stay = async (onOpening: (office: Promise<Office>) => void): Promise<void> => {
  const signal = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-field-office-'))
  const home = join(folder, 'coordinator')
  const opening = openIn(folder, home)
  onOpening(opening)
  const office = await opening
  const { url, room, password } = office.matrix
  console.log(
    [
      `The office is open at ${office.url}. In three terminals, from this checkout:`,
      '',
      '1  a phone, which may report (2 2, a name, 1, a PIN twice, 1, 3)',
      `   npx -y pnpm@12 sibyl ussd --url ${office.url} --phone +260971234567`,
      '2  the chat of the coordinator',
      `   SIBYL_HOME=${home} npx -y pnpm@12 sibyl chat --url ${office.url}`,
      '3  Grace in the Matrix room; "Field Oracle: …" addresses the oracle',
      `   npx -y pnpm@12 field-office --room '${room}' --url ${url} --user grace --password ${password}`,
      '',
      'The SMS that go out:',
      `   curl -s ${office.url}/sms/outbox -H 'authorization: Bearer ${office.operatorToken}'`,
      '',
      'The console, where the code signs you in as the operator for ten minutes:',
      `   ${office.url}/console#code=${await oneTimeCode(office)}`,
      '',
      'Ctrl-C ends all of it and removes what it wrote.',
    ].join('\n'),
  )
  await signal
  console.log('Closing.')
}

/** Creates a code that signs in as the coordinator, with the abilities of an operator. */
const oneTimeCode = async ({ url, operatorToken }: Office): Promise<string> => {
  const response = await fetch(`${url}/oauth/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Coordinator', scopes: ['*', 'operator/read', 'operator/write'] }),
  })
  return z.object({ code: z.string() }).parse(await response.json()).code
}

const openIn = async (folder: string, home: string): Promise<Office> => {
  try {
    return await openOffice({
      coordinator: await keyIn(home),
      folder,
      port: Number(process.env.PORT || 3_000),
      hasConsole: true,
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Has `sibyl` make a key in a home of its own. @returns its DID */
const keyIn = async (home: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [launcher, 'sibyl', 'whoami', '--json'], {
    env: { ...process.env, SIBYL_HOME: home },
  })
  return z.object({ did: z.string() }).parse(JSON.parse(stdout)).did
}
