// One address, or one holder of a right, with many fresh DIDs: neither takes the places of others.

import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { delegatedActor, type TestActor, testActor } from '@sibyl/testing'
import { type Fault, runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { throughProxy } from './frame/through-proxy.ts'

const connectionsOfAll = 500
const connectionsOfOne = 20
const share = 0.25
const webhooksOfOne = 20
const apiKey = 'key-of-a-shop-0123456789'

const oracleOf = (fault: Fault, env: Readonly<Record<string, string>>): Promise<OracleProcess> =>
  startOracle({
    file: 'many-dids/shared-oracle.ts',
    without: fault.without,
    env: {
      DATABASE_URL: 'memory:',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      ENTITIES_API_KEYS: `shop:${apiKey}`,
      ENTITIES_WEBHOOK_PRIVATE: 'on',
      ...env,
    },
  })

type Ask = () => Promise<Response>

/** Opens streams until each of a number of callers was accepted or rejected; accepted ones stay open. */
const openStreams = async (asks: readonly Ask[], open: Response[]): Promise<number> => {
  let allowed = 0
  for (const ask of asks) {
    const answer = await ask()
    if (answer.status === 200) {
      allowed += 1
      open.push(answer)
    } else await answer.body?.cancel()
  }
  return allowed
}

/** One address makes up DIDs and opens as many streams with each as one may. */
const tryAddress = async (fault: Fault, dids: number): Promise<void> => {
  await using oracle = await oracleOf(fault, { ORACLE_ACCESS: 'open', TRUST_PROXY_ENABLED: 'true' })
  const open: Response[] = []
  const asksFrom = (address: string, count: number): Ask[] =>
    Array.from({ length: count }, () => testActor(throughProxy(oracle, address))).flatMap(actor =>
      Array.from({ length: connectionsOfOne }, () => () => actor.request('/v1/changes')),
    )
  const held = await openStreams(asksFrom('203.0.113.7', dids), open)
  fault.atMost(`streams of one address with ${dids} DIDs`, held, connectionsOfAll * share)
  const victims = Array.from({ length: 20 }, (_, index) => testActor(throughProxy(oracle, `198.51.100.${index + 1}`)))
  const others = await openStreams(
    victims.map(actor => () => actor.request('/v1/changes')),
    open,
  )
  fault.atLeast('streams of 20 others at addresses of their own, then', others, victims.length)
  // A third and a fourth address take what is left, as far as they may.
  for (const address of ['203.0.113.8', '203.0.113.9', '203.0.113.10']) {
    await openStreams(asksFrom(address, dids), open)
  }
  const shop = () => fetch(`${oracle.url}/v1/changes`, { headers: { authorization: `Bearer ${apiKey}` } })
  fault.atLeast('streams of an API key, once all is taken', await openStreams([shop], open), 1)
  await Promise.all(open.map(answer => answer.body?.cancel()))
}

/** The holder of a right delegates it to fresh keys, each of which registers webhooks. */
const tryHolder = async (fault: Fault, keys: number): Promise<void> => {
  const controller = createSigningKey()
  await using oracle = await oracleOf(fault, { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
  const target = throughProxy(oracle, '203.0.113.7')
  const holder = await delegatedActor(target, { key: controller })
  const register = async (actor: TestActor) =>
    (await actor.request('/v1/webhooks', { json: { url: 'http://127.0.0.1:18099/hook' } })).status === 201
  let registered = 0
  for (let index = 0; index < keys; index += 1) {
    if (await register(await delegatedActor(target, holder))) registered += 1
  }
  fault.atMost(`webhooks of one holder with ${keys} fresh keys`, registered, webhooksOfOne)
  const other = await delegatedActor(target, { key: controller })
  fault.atLeast('webhooks of another holder, then', (await register(other)) ? 1 : 0, 1)
}

await runFault({
  name: 'many-dids',
  count: 60,
  quick: 30,
  defences: ['shares-by-address', 'reserve-for-the-known', 'limits-by-holder'],
  async run(fault) {
    await tryAddress(fault, fault.count)
    await tryHolder(fault, fault.count)
  },
})
