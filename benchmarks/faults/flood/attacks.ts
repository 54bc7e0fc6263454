import { createSigningKey } from '@sibyl/identity'
import { type TestActor, testActor } from '@sibyl/testing'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { throughProxy } from '../frame/through-proxy.ts'
import { pdfBomb } from './pdf-bomb.ts'
import { protocols, sendText } from './send-text.ts'
import { beginSignIn, registerClient } from './sign-in-client.ts'

/** An address of an attacker: each number is another IPv6 /64 of a /48. */
export const attackerAt = (network: number, site = 1): string =>
  `2001:db8:${site}:${(network % 65_536).toString(16)}::1`

/** The first site of `attackerAt`. */
export const attackersSite = '2001:db8:1::/48'

type Oracle = Pick<OracleProcess, 'url' | 'did'>

/** Returns a new user at an address. */
export const personAt = (oracle: Oracle, address: string): TestActor =>
  testActor(throughProxy(oracle, address), Date.now, createSigningKey())

/** A schema of 0.3 kB whose references double: it takes a tenth of a second to check the items that the model lists. */
const slowSchema = {
  type: 'array',
  items: { $ref: '#/$defs/a0' },
  $defs: Object.fromEntries([
    ...[0, 1, 2, 3].map(level => {
      const next = { $ref: `#/$defs/a${level + 1}` }
      return [`a${level}`, { anyOf: [next, next] }]
    }),
    ['a4', { type: 'string', minLength: 9 }],
  ]),
}

/** Asks for an answer by a schema that takes long to check; returns the status. */
export const askBySlowSchema = async (actor: TestActor): Promise<number> => {
  const response = await actor.request('/chat', { json: { message: 'list', outputSchema: slowSchema } })
  await response.text()
  return response.status
}

/** Sends a PDF for a model that reads none; returns the response. */
export const sendPdf = async (actor: TestActor, content: Buffer): Promise<string> => {
  const url = `data:application/pdf;base64,${content.toString('base64')}`
  const file = { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', url }
  const message = { role: 'user', parts: [{ type: 'text', text: 'Read' }, file] }
  return (await actor.request('/chat', { json: { message } })).text()
}

/** Asks for a priced tool; returns the status. */
export const askForSurvey = async (actor: TestActor): Promise<number> => {
  const response = await actor.request('/chat', { json: { message: 'survey' } })
  await response.text()
  return response.status
}

/** Every attack by its name, as one request from the network of a number. Each has its own site. */
export const createAttacks = (oracle: Oracle): Readonly<Record<string, (network: number) => Promise<unknown>>> => {
  const bomb = pdfBomb(300)
  const payer = personAt(oracle, attackerAt(0, 3))
  let round = 0
  let client: string | undefined
  return {
    texts: network => sendText(personAt(oracle, attackerAt(network)), protocols[round++ % protocols.length]!),
    schemas: network => askBySlowSchema(personAt(oracle, attackerAt(network, 2))),
    surveys: () => askForSurvey(payer),
    signIns: async network => {
      const target = throughProxy(oracle, attackerAt(network, 4))
      client = (network === 0 ? await registerClient(target) : undefined) ?? client
      return client !== undefined && (await beginSignIn(target, client)) !== undefined
    },
    pdfs: async network =>
      /"code":\s*"([a-z_]+)"/.exec(await sendPdf(personAt(oracle, attackerAt(network, 5)), bomb))?.[1],
  }
}
