// Issued credentials: another library accepts each, and neither it nor the oracle one of which a byte was changed.
import { once } from 'node:events'
import { createMnemonic } from '@sibyl/identity'
import { verifyElsewhere } from '../credentials/other-library.ts'
import { alterByte } from './credentials-tamper/alter.ts'
import type { Random } from './frame/random.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'

const key = 'tamper-key-0123456789'
const atOnce = 50

/** Creates the content of a credential: texts in several scripts, numbers of all sizes, nested. */
const subjectOf = (random: Random, place: number) => ({
  id: `did:web:stoves.example:${place}`,
  fuel: random.pick(['pellets', 'éthanol', 'マキ', '🔥 wood', 'a "quoted" \\ word', 'line\nline']),
  meals: random.integer(0, 2 ** 31),
  saved: { co2: random.next() * 10 ** random.integer(-9, 20), wood: -random.next(), none: null },
  readings: Array.from({ length: random.integer(0, 6) }, () => [random.integer(-9, 9), random.next() < 0.5]),
})

const issue = async (oracle: OracleProcess, subject: object): Promise<string> => {
  const answer = await fetch(`${oracle.url}/credentials/issue`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ type: 'CleanCookingCredential', subject }),
  })
  if (answer.status !== 201) throw new Error(`Nothing was issued: ${await answer.text()}`)
  return JSON.stringify(((await answer.json()) as { credential: object }).credential)
}

const judge = async (oracle: OracleProcess, texts: readonly string[]): Promise<boolean[]> => {
  oracle.child.send({ texts })
  return ((await once(oracle.child, 'message')) as [boolean[]])[0]
}

await runFault({
  name: 'credentials-tamper',
  count: 10_000,
  quick: 150,
  defences: ['credentials-signatures', 'credentials-whole-document'],
  async run(fault) {
    await using oracle = await startOracle({
      file: 'credentials-tamper/oracle.ts',
      ipc: true,
      without: fault.without,
      env: {
        DATABASE_URL: 'memory:',
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        ENTITIES_API_KEYS: `tamper:${key}`,
      },
    })
    const didDocument = (await (await fetch(`${oracle.url}/.well-known/did.json`)).json()) as { readonly id: string }
    const elsewhere = async (text: string): Promise<boolean> => {
      try {
        return await verifyElsewhere(JSON.parse(text), [didDocument])
      } catch {
        return false
      }
    }
    const found = { issued: 0, refusedHere: 0, refusedElsewhere: 0, altered: 0, same: 0 }
    const accepted = { here: [] as string[], elsewhere: [] as string[] }
    const places = new Set<string>()
    while (found.issued < fault.count) {
      const share = Math.min(atOnce, fault.count - found.issued)
      const texts = await Promise.all(
        Array.from({ length: share }, (_, at) => issue(oracle, subjectOf(fault.random, found.issued + at))),
      )
      found.issued += share
      const here = await judge(oracle, texts)
      found.refusedHere += here.filter(verified => !verified).length
      for (const text of texts) {
        if (!(await elsewhere(text))) found.refusedElsewhere += 1
        places.add(JSON.parse(text).credentialStatus[0].id)
      }
      const altered = texts.map(text => alterByte(text, fault.random)).filter(text => text !== undefined)
      found.altered += altered.length
      found.same += texts.length - altered.length
      const judged = await judge(oracle, altered)
      for (const [at, text] of altered.entries()) {
        if (judged[at]) accepted.here.push(text)
        if (await elsewhere(text)) accepted.elsewhere.push(text)
      }
    }
    fault.atLeast('credentials issued', found.issued, fault.count)
    fault.atMost('good ones refused by the oracle', found.refusedHere, 0)
    fault.atMost('good ones refused by @digitalbazaar/vc 7.3.0', found.refusedElsewhere, 0)
    fault.atLeast('places in the status lists, each another', places.size, found.issued)
    fault.atLeast('changed by one byte', found.altered, Math.floor(fault.count * 0.95))
    fault.figure('changed without another meaning, and left out', found.same)
    fault.atMost('changed ones accepted by the oracle', accepted.here.length, 0)
    fault.atMost('changed ones accepted by @digitalbazaar/vc 7.3.0', accepted.elsewhere.length, 0)
    for (const text of [...accepted.here, ...accepted.elsewhere].slice(0, 5)) fault.figure('accepted', text)
  },
})
